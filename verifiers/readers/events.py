"""What our own reporters write (`runners/reporters/`): the folder, a line of JSON for each test, and a last line, which
counts them: where tests run in other processes than the reporter, these may add lines, and cannot change that one."""

from __future__ import annotations

from typing import Any, get_args

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.bad_report import BadReport
from verifiers.readers.reader import Reader, Reading, worst_outcomes
from verifiers.readers.rooted import parse_json, relative_path, split_root

STATUSES = get_args(Status)


def read(report: bytes, done: FinishedCommand) -> Reading:
    """Every test by its file and its name; a file that fails as a whole is named by its path."""
    root, body = split_root(report)
    events = [_parse_event(line) for line in body.splitlines() if line.strip()]
    tests, ends = events[:-1], [event for event in events if "end" in event]
    if ends != events[-1:]:
        raise BadReport("the report has no end, or more than one: the tests were cut short")
    if ends[0].get("lines", len(tests)) != len(tests):
        raise BadReport(f"the report holds {len(tests)} lines, and its reporter wrote {ends[0]['lines']}")
    return Reading(outcomes=worst_outcomes(_outcome(root, event) for event in tests if _counts(event)))


def _parse_event(line: bytes) -> dict[str, Any]:
    event = parse_json(line)
    if not isinstance(event, dict) or not (event.get("end") is True or event.get("status") in STATUSES):
        raise BadReport("the report holds a line that its reporter does not write")
    return event


def _counts(event: dict[str, Any]) -> bool:
    """A group of tests counts only if it failed: then it may have done so by itself."""
    return event.get("kind") != "suite" or event["status"] == "failed"


def _outcome(root: str, event: dict[str, Any]) -> tuple[str, Status]:
    path, name = relative_path(root, str(event.get("file", ""))), str(event.get("name", ""))
    is_file = relative_path(root, name) == path or name == path
    status: Status = event["status"]
    return (path if is_file else f"{path}::{name}"), status


READERS = {
    "mocha": Reader("mocha", read, last_code=255),
    "jasmine": Reader("jasmine", read, last_code=4),
    "node": Reader("node", read),
    "minitest": Reader("minitest", read),
    "test-unit": Reader("test-unit", read),
}
