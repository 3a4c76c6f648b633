"""swift test, by its xUnit XML: one file of XCTest's, one of Swift Testing's."""

from __future__ import annotations

from crucible.domains.code.suite import Runner, runner
from crucible.sandbox import Done
from verifiers.runners.archive import junit
from verifiers.runners.framework import Found, Framework, merged


@runner("swift")
def swift() -> Runner:
    """swift test. A test is called `Module.Class::method`."""
    return Framework("swift", read)


def read(report: bytes, done: Done) -> Found:
    """Both files, one of which may be empty."""
    return Found(outcomes=merged((f"{case.classname}::{case.name}", case.status) for _, case in junit(report)))
