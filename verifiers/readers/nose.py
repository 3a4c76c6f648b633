"""Python tests behind a command of their own (nose, tox, a script): by the lines that nose or pytest prints.

The last choice for Python: whatever is held against a summary here could have been printed by a test as well.
"""

from __future__ import annotations

import re

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.bad_report import BadReport
from verifiers.readers.reader import OUTPUT_CHARS, Reader, Reading
from verifiers.readers.text import fail_duplicates, read_whole_text

PYTEST_LINE = re.compile(
    r"^(?:\[gw\d+\] \[ *\d+%\] )?(?:(\S+\.py::.+?) )?(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b ?(.*)$"
)
# matches: "tests/test_a.py::test_x PASSED [ 50%]"  "[gw0] [ 50%] PASSED tests/test_a.py::test_x"
PERCENT = re.compile(r" *(?:\(.*\))? *\[ *\d+%\]$")
# matches: " [ 50%]"  " (needs network) [ 50%]"
PYTEST_SUMMARY = re.compile(r"^=+ (.*\d+ (?:passed|failed|error|skipped).*) in [\d.]+s.* =+$", re.MULTILINE)
# matches: "==== 1 failed, 3 passed in 0.12s ===="
PYTEST_SHORT_SUMMARY = re.compile(r"^=+ short test summary info =+$.*", re.MULTILINE | re.DOTALL)
# matches: "==== short test summary info ====" and all that follows
PYTEST_COUNT = re.compile(r"(\d+) ([a-z]+)")
# matches: "3 passed"
NOSE_LINE = re.compile(r"^(\S.*?) \.\.\. (ok|FAIL|ERROR|SKIP\b.*|skipped\b.*|expected failure)$", re.MULTILINE)
# matches: "test_x (tests.test_a.TestA) ... ok"  "test_x ... SKIP: no network"
NOSE_SUMMARY = re.compile(r"^Ran (\d+) tests? in [\d.]+s$", re.MULTILINE)
# matches: "Ran 4 tests in 0.012s"
STATUS: dict[str, Status] = {
    "PASSED": "passed",
    "SKIPPED": "skipped",
    "XFAIL": "xfailed",
    "ok": "passed",
    "SKIP": "skipped",
    "skipped": "skipped",
    "expected failure": "xfailed",
}


def read(report: bytes, done: FinishedCommand) -> Reading:
    """Every test, by pytest's lines where there is a summary of pytest, else by nose's."""
    text = read_whole_text(report, done)
    totals = PYTEST_SUMMARY.findall(text)
    outcomes = fail_duplicates(_read_pytest(PYTEST_SHORT_SUMMARY.sub("", text)) if totals else _read_nose(text))
    why = _compare_pytest(outcomes, totals) if totals else _compare_nose(outcomes, NOSE_SUMMARY.findall(text))
    return Reading(outcomes=outcomes, why=why, log=text[-OUTPUT_CHARS:])


def _read_pytest(text: str) -> list[tuple[str, Status]]:
    matches = (PYTEST_LINE.match(line) for line in text.splitlines())
    pairs = ((match[1] or PERCENT.sub("", match[3]), match[2]) for match in matches if match)
    return [(name, STATUS.get(word, "failed")) for name, word in pairs if ".py::" in name]


def _read_nose(text: str) -> list[tuple[str, Status]]:
    return [
        (name, STATUS.get(re.split(r"[: ]", word)[0], STATUS.get(word, "failed")))
        for name, word in NOSE_LINE.findall(text)
    ]


def _compare_pytest(outcomes: dict[str, Status], totals: list[str]) -> str:
    """How the summaries differ from the lines; empty when they agree. Several runs (tox) have several summaries: their
    sums count. Only passed tests are compared, since a test whose teardown fails is counted twice."""
    counts: dict[str, int] = {}
    for number, word in PYTEST_COUNT.findall(" ".join(totals)):
        counts[word] = counts.get(word, 0) + int(number)
    counted = counts.get("passed", 0)
    passed = list(outcomes.values()).count("passed")
    return "" if passed == counted else f"the summary counts {counted} passed tests, the lines {passed}"


def _compare_nose(outcomes: dict[str, Status], totals: list[str]) -> str:
    """How the summaries differ from the lines; empty when they agree."""
    if not totals:
        raise BadReport("the text has no summary of a test run")
    counted = sum(map(int, totals))
    return "" if counted == len(outcomes) else f"the summary counts {counted} tests, the lines {len(outcomes)}"


READERS = {"nose": Reader("nose", read)}
