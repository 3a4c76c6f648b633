"""Python's unittest, by the lines it prints: held against its own count and summary."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.bad_report import BadReport
from verifiers.readers.reader import OUTPUT_CHARS, Reader, Reading
from verifiers.readers.text import fail_duplicates, read_whole_text

TEST = re.compile(r"^([\w.]+) \(([\w.<>]+)\)(.*?)(?: \.\.\. ?(.*))?$")
# matches: "test_adds (tests.test_a.TestSum) ... ok"  "test_adds (tests.test_a.TestSum.test_adds)"
ENDING = re.compile(r"(ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$")
# matches: the "skipped 'no network'" of "test_x (a.B) ... skipped 'no network'"
RAN = re.compile(r"^Ran (\d+) tests? in [\d.]+s$", re.MULTILINE)
# matches: "Ran 4 tests in 0.012s"
SUMMARY = re.compile(r"^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$", re.MULTILINE)
# matches: "FAILED (failures=1, skipped=2)"
COUNT = re.compile(r"([a-z ]+?)=(\d+)")
# matches: "failures=1"
STATUS: dict[str, Status] = {"ok": "passed", "expected failure": "xfailed"}
FAILURE_COUNTS = ("failures", "errors", "unexpected successes")
"""What the summary calls tests that failed."""
DOUBLE_RULE = "=" * 70
"""The line above the first failure's details."""
RULE = "-" * 70
"""The line above the summary."""


def read(report: bytes, done: FinishedCommand) -> Reading:
    """Every test; what a subtest did counts for its test."""
    text = read_whole_text(report, done)
    ran, summaries = RAN.findall(text), SUMMARY.findall(text.rpartition("\nRan ")[2])
    if len(ran) != 1 or len(summaries) != 1:
        raise BadReport("the tests were cut short, or ended twice")
    lines = text.rpartition(f"\n{RULE}\nRan ")[0].partition(f"\n{DOUBLE_RULE}\n")[0]
    outcomes = fail_duplicates(_read_lines(lines))
    return Reading(outcomes=outcomes, why=_compare(outcomes, int(ran[0]), summaries[0]), log=text[-OUTPUT_CHARS:])


def _read_lines(text: str) -> Iterator[tuple[str, Status]]:
    """A test with a description is named on one line and ends on the next; one that prints ends where it can."""
    waiting = ""
    failed: set[str] = set()
    for line in text.splitlines():
        test, ending = TEST.match(line), ENDING.search(line)
        if test:
            waiting = _test_id(test[1], test[2])
        if not (waiting and ending and (" ... " in line or line == ending[0] or not test)):
            continue
        status = "skipped" if ending[0].startswith("skipped ") else STATUS.get(ending[0], "failed")
        if not (waiting in failed and status == "failed"):
            yield waiting, status
        failed |= {waiting} if status == "failed" else set()
        waiting = ""


def _test_id(method: str, place: str) -> str:
    """`module.Class::method`. Newer versions repeat the method behind the class; a module that does not load is named
    by itself."""
    above = place.removesuffix(f".{method}")
    return method if above.endswith("_FailedTest") else f"{above}::{method}"


def _compare(outcomes: dict[str, Status], ran: int, summary: str) -> str:
    """How the summary differs from the lines; empty when they agree."""
    counts = {key: int(number) for key, number in COUNT.findall(summary.replace(", ", ","))}
    if bool(sum(counts.get(word, 0) for word in FAILURE_COUNTS)) != ("failed" in outcomes.values()):
        return "the summary counts other failures than the lines"
    tests = sum("::" in name and not name.startswith("setUp") for name in outcomes)
    return "" if tests <= ran or counts else f"the summary counts {ran} tests, the lines {tests}"


READERS = {"unittest": Reader("unittest", read)}
