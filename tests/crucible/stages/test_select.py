"""Selections keep what the policy says, say why, and are the same every time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from crucible.errors import UnknownPart
from crucible.model import Selection, Task, Trajectory
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.shards.manifest import Request
from crucible.stages import export, select
from crucible.store.ledger import Ledger
from crucible.store.lookup import latest_item, list_items
from crucible.store.memory import LedgerMemory
from pipelines.swe.filters.fork_copies import find_copy_elsewhere
from tests.exporters import attempts
from tests.pipelines.swe.filters.test_fork_copies import LINES, pull


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
def task() -> Task:
    return attempts.task()


@pytest.fixture
def made(run: Run, task: Task) -> dict[str, Trajectory]:
    """Four accepted attempts: long and best, short, its near twin, and one that went another way."""
    ways = {"best": ("ls", "x" * 500), "short": ("cat a",), "twin": ("cat a", "cat b"), "other": ("sed c d e", "awk d")}
    made = {
        name: attempts.attempt(
            task, *(attempts.step("", "", attempts.call("a", f'{{"command": "{way}"}}')) for way in steps), seed=seed
        )
        for seed, (name, steps) in enumerate(ways.items())
    }
    for name, one in made.items():
        attempts.keep(run, task, one, score=1.0 if name == "best" else 0.5)
    return made


def kept(run: Run, task: Task, made: dict[str, Trajectory]) -> set[str]:
    item = latest_item(run.ledger, "selection", task.id)
    assert item is not None
    return {name for name, one in made.items() if item.record(Selection).has_kept(one.id)}


@pytest.mark.parametrize(
    ("policy", "names"),
    [("score", {"best", "short"}), ("brevity", {"short", "twin"}), ("diversity", {"best", "short"})],
)
async def test_each_policy_keeps_its_own(
    run: Run, task: Task, made: dict[str, Trajectory], policy: str, names: set[str]
) -> None:
    done = await select(run, 2, policy)
    assert (done.tasks, done.kept, done.left, done.changed) == (1, 2, 2, 1)
    assert kept(run, task, made) == names


async def test_the_ledger_is_not_read_on_the_event_loop(run: Run, made: dict[str, Trajectory]) -> None:
    with threads_that_ask(run.ledger) as threads:
        await select(run, 2)
        await find_copy_elsewhere(pull("a/lib", 7, LINES), LedgerMemory(run.ledger), 0.8)
    assert threads
    assert threading.main_thread() not in threads


@contextmanager
def threads_that_ask(ledger: Ledger) -> Iterator[set[threading.Thread]]:
    """The threads in which the database is asked something within the block."""
    threads: set[threading.Thread] = set()

    def note(*_: object) -> None:
        threads.add(threading.current_thread())

    event.listen(ledger.engine, "before_cursor_execute", note)
    try:
        yield threads
    finally:
        event.remove(ledger.engine, "before_cursor_execute", note)


async def test_diversity_passes_over_a_near_twin(run: Run, task: Task, made: dict[str, Trajectory]) -> None:
    await select(run, 3, "diversity")
    assert kept(run, task, made) == {"best", "short", "other"}


async def test_every_attempt_has_its_reason(run: Run, task: Task, made: dict[str, Trajectory]) -> None:
    await select(run, 1, "brevity")
    [item] = list_items(run.ledger, "selection")
    choices = item.record(Selection).choices
    assert len(choices) == 4
    assert choices[0].reason == "1 of 4 by brevity: 20 characters"
    assert [choice.kept for choice in choices] == [True, False, False, False]


async def test_the_same_choice_twice_is_one_row_and_the_last_one_counts(
    run: Run, task: Task, made: dict[str, Trajectory]
) -> None:
    for policy in ("score", "score", "brevity", "score"):
        await select(run, 1, policy)
    assert [one.id.rpartition("-")[2] for one in list_items(run.ledger, "selection")] == ["1", "2", "3"]
    assert kept(run, task, made) == {"best"}


async def test_a_filter_decides_who_may_be_chosen(run: Run, task: Task, made: dict[str, Trajectory]) -> None:
    await select(run, 2, "score", "len(trajectory.steps) > 1 and reward < 1")
    assert kept(run, task, made) == {"twin", "other"}


async def test_export_takes_the_selected_unless_told_otherwise(
    run: Run, task: Task, made: dict[str, Trajectory], tmp_path: Path
) -> None:
    before = await export(run, Request(format="trl"), tmp_path / "before")
    await select(run, 1)
    chosen = await export(run, Request(format="trl"), tmp_path / "chosen")
    everything = await export(run, Request(format="trl", everything=True), tmp_path / "all")
    assert (before.counts.trajectories, everything.counts.trajectories) == (4, 4)
    assert chosen.counts.trajectories == 1
    assert chosen.counts.left_out == {"not_selected": 3}


async def test_a_policy_that_is_none_lists_those_there_are(run: Run) -> None:
    with pytest.raises(UnknownPart, match="no policy 'taste'; it has: brevity, diversity, pairwise, score"):
        await select(run, 1, "taste")
