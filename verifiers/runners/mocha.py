"""Mocha, by a reporter of our own: its JSON reporter can write to a file only in newer versions, and omits files."""

from __future__ import annotations

from crucible.domains.code.suite import Runner, runner
from verifiers import canaries
from verifiers.runners import events
from verifiers.runners.framework import Framework, files_of


@runner("mocha")
def mocha() -> Runner:
    """Mocha, by a line of JSON for each test."""
    return Framework("mocha", events.read, files_of, canaries.appended("mocha"))
