"""A night's chunks share its services; a judge whose money is spent ends a stage, and not the night."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from crucible import parts
from crucible.errors import BudgetSpent
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.purse import Purse
from crucible.running.run import open_run
from crucible.sandbox import Sandbox
from crucible.serving import OpenWorld
from crucible.settings import Settings
from crucible.stages.night import night
from crucible.store.nights import read_night
from tests.flows import toy
from tests.flows.nights import night_settings

KNOWS = f"{toy.HERE}:knows"


@dataclass
class Counter:
    """A service that counts how often it was opened, closed and asked, and is paid a cent for each of so many
    questions."""

    paid: int
    opened: int = 0
    closed: int = 0
    asked: int = 0
    purse: Purse = field(default_factory=Purse)

    def pay_from(self, purse: Purse) -> None:
        self.purse = purse

    async def ask(self) -> None:
        if self.asked == self.paid:
            raise BudgetSpent("the judge: all is spent")
        self.asked += 1
        await self.purse.pay(0.01)


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> Counter:
    """The service, which the toy's verifier asks each time."""
    counting = Counter(paid=10**6)

    @asynccontextmanager
    async def open_counter(settings: Settings, blobs: BlobStore, open_world: OpenWorld) -> AsyncIterator[Counter]:
        counting.opened += 1
        yield counting
        counting.closed += 1

    list(parts.every("service"))
    monkeypatch.setitem(parts._known, ("service", "counter"), parts.Part("service", "counter", open_counter))
    part = parts.Part("verifier", KNOWS, knows_and_asks, layer="function", needs=("blobs", "counter"))
    monkeypatch.setitem(parts._known, ("verifier", KNOWS), part)
    return counting


async def knows_and_asks(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: toy.Want, blobs: BlobStore, counter: Counter
) -> AsyncIterator[Criterion]:
    """The toy's verifier, after a question to the service."""
    await counter.ask()
    async for criterion in toy.knows(task, trajectory, box, params=params, blobs=blobs):
        yield criterion


async def test_chunks_share_a_service_that_is_opened_once_and_closed_at_the_end(
    tmp_path: Path, counter: Counter
) -> None:
    with open_run(night_settings(tmp_path, 20, chunk_items=4)) as run:
        assert (await night(run)).stopped == ()
    assert counter.asked > 16
    assert (counter.opened, counter.closed) == (1, 1)


async def test_what_a_service_costs_is_paid_from_the_nights_purse(tmp_path: Path, counter: Counter) -> None:
    with open_run(night_settings(tmp_path, 20, chunk_items=4)) as run:
        await night(run)
        assert read_night(run.ledger).spent == pytest.approx(0.01 * counter.asked)


async def test_a_judge_without_money_ends_its_stage_and_the_night_hands_over(tmp_path: Path, counter: Counter) -> None:
    counter.paid = 0
    with open_run(night_settings(tmp_path, 20)) as run:
        made = await night(run)
    assert made.stopped == ("validate: the judge: all is spent",)
    assert Path(made.report).exists()
