"""Python tests behind a command of their own (nose, tox, a script): by the lines that nose or pytest prints.

The last choice for Python: whatever is held against a summary here could have been printed by a test as well.
"""

from __future__ import annotations

import re

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers.runners.framework import Found, Framework
from verifiers.runners.junit import BadReport
from verifiers.runners.text import ended, once

PYTEST = re.compile(
    r"^(?:\[gw\d+\] \[ *\d+%\] )?(?:(\S+\.py::.+?) )?(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b ?(.*)$"
)
PERCENT = re.compile(r" *(?:\(.*\))? *\[ *\d+%\]$")
SUMMARY = re.compile(r"^=+ (.*\d+ (?:passed|failed|error|skipped).*) in [\d.]+s.* =+$", re.MULTILINE)
SHORT = re.compile(r"^=+ short test summary info =+$.*", re.MULTILINE | re.DOTALL)
NOSE = re.compile(r"^(\S.*?) \.\.\. (ok|FAIL|ERROR|SKIP\b.*|skipped\b.*|expected failure)$", re.MULTILINE)
RAN = re.compile(r"^Ran (\d+) tests? in [\d.]+s$", re.MULTILINE)
STATUS: dict[str, Status] = {"PASSED": "passed", "SKIPPED": "skipped", "XFAIL": "xfailed", "ok": "passed"}
STATUS |= {"SKIP": "skipped", "skipped": "skipped", "expected failure": "xfailed"}


@runner("nose")
def nose() -> Runner:
    """nose, tox and the like. A test is called as it is printed: `path::name` or `name (module.Class)`."""
    return Framework("nose", read)


def read(report: bytes, done: Done) -> Found:
    """By pytest's summary where there is one, else by nose's."""
    text = ended(report, done)
    totals = SUMMARY.findall(text)
    outcomes = once(_pytest(SHORT.sub("", text)) if totals else _nose(text))
    why = _pytest_differs(outcomes, totals) if totals else _nose_differs(outcomes, RAN.findall(text))
    return Found(outcomes=outcomes, why=why, log=text[-6000:])


def _pytest(text: str) -> list[tuple[str, Status]]:
    found = (PYTEST.match(line) for line in text.splitlines())
    named = ((match[1] or PERCENT.sub("", match[3]), match[2]) for match in found if match)
    return [(name, STATUS.get(word, "failed")) for name, word in named if ".py::" in name]


def _nose(text: str) -> list[tuple[str, Status]]:
    return [
        (name, STATUS.get(re.split(r"[: ]", word)[0], STATUS.get(word, "failed"))) for name, word in NOSE.findall(text)
    ]


def _pytest_differs(outcomes: dict[str, Status], totals: list[str]) -> str:
    """Several runs (tox) have several summaries: their sums count. A test whose teardown fails is counted twice."""
    counts: dict[str, int] = {}
    for number, word in re.findall(r"(\d+) ([a-z]+)", " ".join(totals)):
        counts[word] = counts.get(word, 0) + int(number)
    passed = counts.get("passed", 0)
    told = list(outcomes.values()).count("passed")
    return "" if told == passed else f"the summary counts {passed} passed tests, the lines {told}"


def _nose_differs(outcomes: dict[str, Status], ran: list[str]) -> str:
    if not ran:
        raise BadReport("the text has no summary of a test run")
    total = sum(map(int, ran))
    return "" if total == len(outcomes) else f"the summary counts {total} tests, the lines {len(outcomes)}"
