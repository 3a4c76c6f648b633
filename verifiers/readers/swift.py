"""swift test, by its xUnit XML: one file of XCTest's, one of Swift Testing's."""

from __future__ import annotations

from crucible.domains.code.outcomes import FinishedCommand
from verifiers.readers.archive import read_junit_members
from verifiers.readers.reader import Reader, Reading, worst_outcomes

BROKEN = (r"^\S+\.swift:\d+:\d+: error: ",)  # /workspace/Sources/A.swift:3:9: error: cannot find 'x' in scope


def read(report: bytes, done: FinishedCommand) -> Reading:
    """The tests of both files, one of which may be empty."""
    cases = read_junit_members(report)
    return Reading(outcomes=worst_outcomes((f"{case.classname}::{case.name}", case.status) for case in cases))


READERS = {"swift": Reader("swift", read, broken=BROKEN)}
