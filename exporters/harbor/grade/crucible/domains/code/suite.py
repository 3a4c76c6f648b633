"""Stands in for `crucible.domains.code.suite` where only Python's library is: what a reader of reports needs of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

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


_runners: dict[str, Callable[[], Any]] = {}


def runner(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Knows the frameworks that were imported."""

    def keep(make: Callable[[], Any]) -> Callable[[], Any]:
        _runners[name] = make
        return make

    return keep


def find_runner(name: str) -> Any:
    return _runners[name]()
