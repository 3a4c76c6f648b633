"""The rule by which a report becomes a grade, whichever framework wrote it.

A report is a grade only if the framework came to its own end, the report is whole and counts a test, and the exit code
says the same as the report. A compiler's refusal is told apart from that, because it decides something.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from crucible.domains.code.outcomes import FinishedCommand, Report, Status
from verifiers.readers.bad_report import BadReport
from verifiers.readers.text import clean_text

SEVERITY: dict[Status, int] = {"failed": 3, "skipped": 2, "xfailed": 1, "passed": 0}
"""Where a test is reported twice the outcome with the higher number counts."""
LOG_CHARS = 6000
"""How much of the end of what was printed is a report's log."""
OUTPUT_CHARS = 60_000
"""How much of it is kept beside the log."""


@dataclass(frozen=True)
class Reading:
    """What a framework's own function read from a report, before the rule is applied."""

    outcomes: dict[str, Status] = field(default_factory=dict)
    broken: str = ""
    """What does not compile."""
    why: str = ""
    """Why this cannot be the whole report."""
    log: str = ""
    """What the report holds of the framework's output, where it does not reach the screen."""


@dataclass(frozen=True)
class Reader:
    """Implements `crucible.domains.code.outcomes.ReportReader` with a function that reads one kind of report."""

    framework: str
    read: Callable[[bytes, FinishedCommand], Reading]
    """Defined in the module that lists this reader. Raises `BadReport`."""
    last_code: int = 1
    """The exit codes from zero to this one are the framework's own."""
    broken: tuple[str, ...] = ()
    """Regular expressions for a line that says that something does not compile."""

    @property
    def module(self) -> str:
        """Where the reader is listed."""
        return self.read.__module__

    def parse(self, report: bytes, done: FinishedCommand) -> Report:
        """What each test did; complete only by the rule above."""
        try:
            reading = self.read(report, done)
        except BadReport as bad:
            reading = Reading(why=str(bad))
        if done.code and not done.stopped and not reading.broken:
            reading = replace(reading, broken=self._find_broken(f"{done.out}\n{done.err}\n{reading.log}"))
        if done.stopped:
            reading = replace(reading, broken="")
        output = f"{reading.log}\n{done.out}\n{done.err}".strip()[-OUTPUT_CHARS:]
        return Report(
            outcomes=reading.outcomes,
            complete=not (why := self._why_incomplete(reading, done)),
            code=done.code,
            why=why,
            broken=reading.broken,
            log=output[-LOG_CHARS:],
            output=output,
        )

    def dispute(self, report: Report, events: bytes) -> Report:
        """The report as it is: it was written line by line, or there is nothing to hold it against."""
        return report

    def _find_broken(self, text: str) -> str:
        """The first line that says that something does not compile."""
        lines = clean_text(text).splitlines()
        return next((line.strip()[:300] for pattern in self.broken for line in lines if re.search(pattern, line)), "")

    def _why_incomplete(self, reading: Reading, done: FinishedCommand) -> str:
        """Why the reading is no grade; empty when it is one."""
        failing = bool(reading.broken) or "failed" in reading.outcomes.values()
        if done.stopped:
            return f"{self.framework} was stopped: {done.stopped}"
        if not 0 <= done.code <= self.last_code:
            return f"{self.framework} ended with code {done.code}, not its own"
        if reading.why:
            return reading.why
        if not reading.outcomes:
            return "nothing could be built" if reading.broken else "the report counts no tests"
        if done.code and not failing:
            return f"{self.framework} ended with code {done.code}, but by the report no test failed"
        if failing and not done.code:
            return f"{self.framework} ended with code 0, but by the report something failed"
        return ""


def worst_outcomes(pairs: Iterable[tuple[str, Status]]) -> dict[str, Status]:
    """The outcome of each test; where a test is reported twice the worse counts."""
    outcomes: dict[str, Status] = {}
    for name, status in pairs:
        outcomes[name] = max(status, outcomes.get(name, "passed"), key=SEVERITY.__getitem__)
    return outcomes
