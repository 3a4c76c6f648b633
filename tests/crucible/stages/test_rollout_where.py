"""Which tasks are attempted: all, or those that a filter lets through, each once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from crucible.acting import PlannedAttempt
from crucible.errors import SettingsError
from crucible.mining import MiningContext
from crucible.model import Task
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.stages.rollout import WantedAttempts, plan_attempts, rollout
from crucible.store.item import Item
from crucible.store.lookup import list_items
from tests.flows.toy import Sum, write_task

NO_CONTEXT = MiningContext(None, None)  # type: ignore[arg-type]


@pytest_asyncio.fixture
async def run(tmp_path: Path) -> AsyncIterator[Run]:
    """A run with three sound tasks."""
    tasks = [task for number in (1, 2, 3) for task in await write_task(Sum(number=number), NO_CONTEXT)]
    with open_run(Settings(home=tmp_path)) as opened:
        opened.ledger.put([Item.of("task", task, pipeline="toy") for task in tasks])
        yield opened


def attempted(run: Run) -> list[str]:
    """The instructions of the tasks at which attempts are planned."""
    planned = [item.record(PlannedAttempt) for item in list_items(run.ledger, "attempt")]
    tasks = {item.id: item.record(Task) for item in list_items(run.ledger, "task")}
    return sorted(tasks[one.task_id].instruction for one in planned)


def wanted(where: str) -> WantedAttempts:
    return WantedAttempts(teacher="nop", where=where)


async def test_a_filter_says_which_tasks_are_attempted(run: Run) -> None:
    tally = await rollout(run, wanted("task.kind == 'sum' and task.instruction.startswith('Twice 2')"))
    assert tally.done == 1
    assert attempted(run) == ["Twice 2?"]


async def test_what_was_planned_before_is_not_planned_again(run: Run) -> None:
    assert await plan_attempts(run, wanted("task.instruction != 'Twice 2?'")) == 2
    assert await plan_attempts(run, WantedAttempts(teacher="nop", samples=2)) == 4
    assert attempted(run) == sorted(["Twice 1?", "Twice 2?", "Twice 3?"] * 2)


async def test_a_filter_that_makes_no_sense_is_told_before_anything_is_queued(run: Run) -> None:
    with pytest.raises(SettingsError, match=r"there is no name 'reward'; .*there are: task"):
        await rollout(run, wanted("reward > 0.5"))
    assert attempted(run) == []
