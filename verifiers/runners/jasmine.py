"""Jasmine, by a reporter of our own: it has none that writes to a file."""

from __future__ import annotations

from crucible.domains.code.suite import Runner, runner
from verifiers import canaries
from verifiers.runners import events
from verifiers.runners.framework import Framework, files_of


@runner("jasmine")
def jasmine() -> Runner:
    """Jasmine, by a line of JSON for each test."""
    return Framework("jasmine", events.read, files_of, canaries.appended("jasmine"))
