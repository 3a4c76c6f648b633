"""Stands in for `crucible.suites` where only Python's library is: what a reader of reports needs of it."""

from __future__ import annotations

from typing import Literal

from crucible.record import Record

Status = Literal["passed", "failed", "skipped", "xfailed"]


class Report(Record):
    """What each test did."""

    outcomes: dict[str, Status]
    complete: bool = False
    code: int = 0
    why: str = ""
    broken: str = ""
    log: str = ""

    def __init__(self, **fields: object) -> None:
        super().__init__(**{"outcomes": {}, **fields})

    def passed(self, test: str) -> bool:
        """An expected failure counts as a pass."""
        return self.outcomes.get(test) in ("passed", "xfailed")


class Suite(Record):
    """How tests are started: told in `run.sh`."""


class Canary(Record):
    """None is hatched here."""


class Runner:
    """One test framework."""
