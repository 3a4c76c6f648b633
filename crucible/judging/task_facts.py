"""What was found out about a task since it was made, looked up when somebody asks for it: filters join it."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from crucible import proving
from crucible.facts import CALIBRATION, COMPARISON, DRAW, Calibration, Comparison, Draw
from crucible.proving import Proof
from crucible.record import Record
from crucible.store.ledger import Ledger
from crucible.store.lookup import latest_item, list_children

R = TypeVar("R", bound=Record)


class LedgerTaskFacts:
    """The items beside a task. Implements `crucible.exporting.TaskFacts`."""

    def __init__(self, ledger: Ledger, task_id: str) -> None:
        self._ledger = ledger
        self._task_id = task_id

    @cached_property
    def proof(self) -> Proof | None:
        """Why it is held to be sound."""
        return self._latest(proving.NOUN, Proof)

    @cached_property
    def calibration(self) -> Calibration | None:
        """How often it was solved, by the latest calibration."""
        return self._latest(CALIBRATION, Calibration)

    @cached_property
    def draw(self) -> Draw | None:
        """Whether it is in the sample that was drawn last."""
        return self._latest(DRAW, Draw)

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """What a judge said of pairs of attempts at it."""
        return tuple(item.record(Comparison) for item in list_children(self._ledger, COMPARISON, self._task_id))

    def _latest(self, noun: str, kind: type[R]) -> R | None:
        item = latest_item(self._ledger, noun, self._task_id)
        return item.record(kind) if item else None
