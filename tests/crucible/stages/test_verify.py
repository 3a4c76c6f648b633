"""`verify --stale` asks again exactly those whose version or parameters changed; what others found stays as it is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import update

from crucible import parts
from crucible.model import Check, Criterion, Reference, Task, Trajectory, Verdict
from crucible.parts import verifier
from crucible.record import Record
from crucible.running.run import Run, open_run
from crucible.sandbox import Env, Sandbox
from crucible.settings import Settings
from crucible.stages import rollout, verify
from crucible.stages.rollout import WantedAttempts
from crucible.store.database import write_transaction
from crucible.store.item import Item
from crucible.store.lookup import list_items, trajectory_verdicts
from crucible.store.tables import item
from tests.flows.toy import HERE

TASKS = 4
asked: list[tuple[str, str]] = []
"""Who was asked about which attempt, in this process."""


class Most(Record):
    """How many steps are allowed."""

    steps: int


@verifier("stale.short", layer="function", cost="seconds")
async def short(task: Task, trajectory: Trajectory, box: Sandbox, *, params: Most) -> AsyncIterator[Criterion]:
    """The attempt is short."""
    asked.append(("stale.short", trajectory.id))
    yield Criterion(name="short", passed=len(trajectory.steps) <= params.steps, evidence=str(len(trajectory.steps)))


@verifier("stale.done", layer="function", cost="milliseconds", gate=True)
async def done(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Somebody did something."""
    asked.append(("stale.done", trajectory.id))
    yield Criterion(name="there is an answer", passed="answer" in trajectory.artifacts, evidence="")


def task(number: int, steps: int) -> Task:
    """Its costly check is named first: the cheap gate is asked before it all the same."""
    checks = (Check(verifier="stale.short", params={"steps": steps}), Check(verifier="stale.done"))
    place = Env(name=f"{HERE}:world")
    return Task(
        domain="toy", kind="sum", instruction=str(number), env=place, checks=checks, reference=Reference(answer="x")
    )


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Run]:
    """Tasks, each attempted by two: one answers and is judged by both checks, the other stops at the gate."""
    with open_run(Settings(home=tmp_path)) as opened:
        opened.ledger.put([Item.of("task", task(number, 9)) for number in range(TASKS)])
        for teacher in ("oracle", "nop"):
            await rollout(opened, WantedAttempts(teacher=teacher))
        assert (await verify(opened)).done == 2 * TASKS
        asked.clear()
        yield opened


def found(run: Run) -> dict[str, list[Verdict]]:
    return {one.id: trajectory_verdicts(run.ledger, one.id) for one in list_items(run.ledger, "trajectory")}


def change(run: Run, number: int, steps: int) -> str:
    """Gives a task's check another parameter; the task keeps its id."""
    new = task(number, steps).model_copy(update={"drafted": task(number, 9).checks_hash})
    with write_transaction(run.ledger.engine) as connection:
        connection.execute(update(item).where(item.c.id == new.id).values(body=new.model_dump_json()))
    return new.id


def of(run: Run, teacher: str, task_id: str) -> str:
    tried = [one.record(Trajectory) for one in list_items(run.ledger, "trajectory")]
    return next(one.id for one in tried if one.agent.teacher == teacher and one.task_id == task_id)


async def test_what_every_present_verifier_has_judged_is_not_stale_even_if_a_gate_stopped_it(run: Run) -> None:
    assert (await verify(run, stale=True)).done == 0
    assert asked == []


async def test_new_parameters_of_one_check_are_judged_anew_and_nothing_else_is(run: Run) -> None:
    before = found(run)
    changed = of(run, "oracle", change(run, 0, steps=0))
    assert (await verify(run, stale=True)).done == 1
    assert asked == [("stale.short", changed)]
    after = found(run)
    (new,) = [one for one in after[changed] if one not in before[changed]]
    assert (new.verifier, new.outcome) == ("stale.short", "fail")
    assert all(one in after[changed] for one in before[changed]), "what was found before is still told"
    assert {id: kept for id, kept in after.items() if id != changed} == {
        id: kept for id, kept in before.items() if id != changed
    }
    assert (await verify(run, stale=True)).done == 0


async def test_parameters_that_are_as_they_were_once_are_not_judged_a_third_time(run: Run) -> None:
    change(run, 0, steps=0)
    await verify(run, stale=True)
    before = found(run)
    change(run, 0, steps=9)
    assert (await verify(run, stale=True)).done == 0
    assert found(run) == before


async def test_a_new_version_of_one_verifier_leaves_the_verdicts_of_the_other_untouched(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = found(run)
    part = parts.find("verifier", "stale.short")
    monkeypatch.setitem(parts._known, ("verifier", part.name), parts.Part(**vars(part) | {"version": 2}))
    assert (await verify(run, stale=True)).done == TASKS
    assert {name for name, _ in asked} == {"stale.short"}
    assert len(asked) == TASKS
    for id, kept in found(run).items():
        assert [one for one in kept if one.version == 1] == before[id]
