"""Reports that our own reporters write (`reporters/`): the folder, a line of JSON for each test, a line at the end."""

from __future__ import annotations

from typing import Any, get_args

from crucible.domains.code.suite import Status
from crucible.sandbox import Done
from verifiers.runners.framework import Found, merged
from verifiers.runners.junit import BadReport
from verifiers.runners.rooted import below, loaded, split

STATUSES = get_args(Status)


def read(report: bytes, done: Done) -> Found:
    """Every test by its file and its name; a file that fails as a whole is named by its path."""
    root, body = split(report)
    events = [_event(line) for line in body.splitlines() if line.strip()]
    if not events or events[-1] != {"end": True}:
        raise BadReport("the report has no end: the tests were cut short")
    return Found(outcomes=merged(_outcome(root, event) for event in events[:-1] if _counts(event)))


def _event(line: bytes) -> dict[str, Any]:
    event = loaded(line)
    if not isinstance(event, dict) or not (event == {"end": True} or event.get("status") in STATUSES):
        raise BadReport("the report holds a line that its reporter does not write")
    return event


def _counts(event: dict[str, Any]) -> bool:
    """A group of tests counts only if it failed: then it may have done so by itself."""
    return event.get("kind") != "suite" or event["status"] == "failed"


def _outcome(root: str, event: dict[str, Any]) -> tuple[str, Status]:
    path, name = below(root, str(event.get("file", ""))), str(event.get("name", ""))
    whole = below(root, name) == path or name == path
    status: Status = event["status"]
    return (path if whole else f"{path}::{name}"), status
