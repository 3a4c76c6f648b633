"""The JSON of Jest, and of Vitest, which writes the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.bad_report import BadReport
from verifiers.readers.live_events import LiveReader
from verifiers.readers.reader import Reading, worst_outcomes
from verifiers.readers.rooted import parse_json, relative_path, require_objects, split_root

STATUS: dict[str, Status] = {
    "passed": "passed",
    "pending": "skipped",
    "skipped": "skipped",
    "todo": "skipped",
    "disabled": "skipped",
}


def read(report: bytes, done: FinishedCommand) -> Reading:
    """One outcome for each test, and one for each file that failed without a failing test of its own."""
    root, body = split_root(report)
    content = parse_json(body)
    if not isinstance(content, dict):
        raise BadReport("the report has another shape than the framework gives it")
    if content.get("wasInterrupted"):
        raise BadReport("the run was interrupted")
    pairs = [pair for file in require_objects(content.get("testResults")) for pair in _read_file(root, file)]
    tests = sum("::" in name for name, _ in pairs)
    if content.get("numTotalTests") != tests:
        raise BadReport(f"the report counts {content.get('numTotalTests')} tests and holds {tests}")
    return Reading(outcomes=worst_outcomes(pairs))


def _read_file(root: str, file: dict[str, Any]) -> Iterator[tuple[str, Status]]:
    path = relative_path(root, str(file.get("name", "")))
    tests = [_read_test(path, test) for test in require_objects(file.get("assertionResults"))]
    yield from tests
    if file.get("status") == "failed" and "failed" not in worst_outcomes(tests).values():
        yield path, "failed"


def _read_test(path: str, test: dict[str, Any]) -> tuple[str, Status]:
    above = test.get("ancestorTitles")
    names = [*(above if isinstance(above, list) else ()), test.get("title", "")]
    return f"{path}::{' > '.join(str(name) for name in names if name)}", STATUS.get(str(test.get("status")), "failed")


READERS = {"jest": LiveReader("jest", read), "vitest": LiveReader("vitest", read)}
