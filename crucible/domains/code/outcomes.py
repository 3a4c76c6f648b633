"""What a test run came to: the status of each test, and whether the report of it can be believed.

Python's standard library (3.10 and newer) is all that is needed: exported Harbor folders ship this module together with
the reader of their test framework (`verifiers/readers/`), so that a test has the same name and outcome here and there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

Status = Literal["passed", "failed", "skipped", "xfailed"]
"""A test that errors in its set-up or cannot be collected is `failed`."""


@dataclass(frozen=True)
class Report:
    """What each test did."""

    outcomes: dict[str, Status] = field(default_factory=dict)
    """By the test's id, as stable as the framework allows."""
    complete: bool = False
    """The framework itself finished and wrote this report. Otherwise this is not a grade."""
    code: int = 0
    """The exit code of the command that ran the tests."""
    why: str = ""
    """Why it is not complete, in one line."""
    broken: str = ""
    """What does not compile, in one line: the tests that are missing from this report could not be built.
    A report may be complete and broken, where one package of several does not compile."""
    log: str = ""
    """The end of what was printed."""
    output: str = field(default="", repr=False)
    """More of it: all that most runs print, to look for what was answered to one test of many."""
    disputed: tuple[str, ...] = ()
    """Tests that the report counted as passed and that were not seen to pass while they ran: they count as failed."""

    def passed(self, test: str) -> bool:
        """Whether the test passed. An expected failure is none: code under test can expect a test to fail."""
        return self.outcomes.get(test) == "passed"

    def maintains(self, test: str) -> bool:
        """Whether a test that passed before still does, as far as one run can tell: one that was skipped, or expected
        to fail, is maintained; a missing one is not."""
        return self.outcomes.get(test) in ("passed", "skipped", "xfailed")

    @property
    def has_failures(self) -> bool:
        """Whether a test failed or something does not compile."""
        return bool(self.broken) or "failed" in self.outcomes.values()

    @property
    def is_honest(self) -> bool:
        """Whether it agrees with the exit code, and with what was seen as the tests ran."""
        return (self.code == 0) == (not self.has_failures) and not self.disputed


class FinishedCommand(Protocol):
    """How the command that ran the tests ended. `crucible.sandbox.Done` is one."""

    @property
    def code(self) -> int:
        """Its exit code."""

    @property
    def out(self) -> str:
        """What it printed, or the end of it."""

    @property
    def err(self) -> str:
        """What it printed to the standard error, or the end of it."""

    @property
    def stopped(self) -> str:
        """Why it did not end by itself; empty when it did."""


class ReportReader(Protocol):
    """Reads the reports of one test framework."""

    @property
    def module(self) -> str:
        """The module that has this reader in its `READERS`, by the framework's name."""

    def parse(self, report: bytes, done: FinishedCommand) -> Report:
        """What the report says. Bytes are empty when none was written."""

    def dispute(self, report: Report, events: bytes) -> Report:
        """The report held against what the framework said while it ran; as it is where a framework says nothing."""
