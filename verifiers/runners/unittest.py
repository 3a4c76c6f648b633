"""Python's unittest, by the lines it prints: held against its own count and summary."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers import canaries
from verifiers.runners.framework import Found, Framework
from verifiers.runners.junit import BadReport
from verifiers.runners.text import ended, once

NAMED = re.compile(r"^([\w.]+) \(([\w.<>]+)\)(.*?)(?: \.\.\. ?(.*))?$")
END = re.compile(r"(ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$")
RAN = re.compile(r"^Ran (\d+) tests? in [\d.]+s$", re.MULTILINE)
CLOSED = re.compile(r"^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$", re.MULTILINE)
STATUS: dict[str, Status] = {"ok": "passed", "expected failure": "xfailed"}
COUNTED = {"failed": ("failures", "errors", "unexpected successes"), "skipped": ("skipped",)}


@runner("unittest")
def unittest() -> Runner:
    """Python's unittest. A test is called `module.Class::method`."""
    return Framework("unittest", read, hatch=canaries.appended("unittest"))


def read(report: bytes, done: Done) -> Found:
    """Every test; what a subtest did counts for its test."""
    text = ended(report, done)
    ran, closed = RAN.findall(text), CLOSED.findall(text.rpartition("\nRan ")[2])
    if len(ran) != 1 or len(closed) != 1:
        raise BadReport("the tests were cut short, or ended twice")
    outcomes = once(_tests(text.rpartition("\n" + "-" * 70 + "\nRan ")[0].partition("\n" + "=" * 70 + "\n")[0]))
    return Found(outcomes=outcomes, why=_mismatch(outcomes, int(ran[0]), closed[0]), log=text[-6000:])


def _tests(text: str) -> Iterator[tuple[str, Status]]:
    """A test with a description is named on one line and ends on the next; one that prints ends where it can."""
    waiting = ""
    failed: set[str] = set()
    for line in text.splitlines():
        named, end = NAMED.match(line), END.search(line)
        if named:
            waiting = _id(named[1], named[2])
        if not (waiting and end and (" ... " in line or line == end[0] or not named)):
            continue
        status = "skipped" if end[0].startswith("skipped ") else STATUS.get(end[0], "failed")
        if not (waiting in failed and status == "failed"):
            yield waiting, status
        failed |= {waiting} if status == "failed" else set()
        waiting = ""


def _id(method: str, place: str) -> str:
    """Newer versions repeat the method behind the class; a module that does not load is named by itself."""
    above = place.removesuffix(f".{method}")
    return method if above.endswith("_FailedTest") else f"{above}::{method}"


def _mismatch(outcomes: dict[str, Status], ran: int, closed: str) -> str:
    """Whether the summary says something else than the lines."""
    counts = {key: int(number) for key, number in re.findall(r"([a-z ]+?)=(\d+)", closed.replace(", ", ","))}
    if bool(sum(counts.get(word, 0) for word in COUNTED["failed"])) != ("failed" in outcomes.values()):
        return "the summary counts other failures than the lines"
    told = sum("::" in name and not name.startswith("setUp") for name in outcomes)
    return "" if told <= ran or counts else f"the summary counts {ran} tests, the lines {told}"
