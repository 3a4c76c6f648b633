"""Cheats that are made for the test frameworks of other languages, each on a sample task of its language: its tests
come out as passed, and the altered ones give it away."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from crucible import parts
from crucible.judging.cascade import Judging
from crucible.judging.settling import apply_settled, settle_checks
from crucible.mining import MiningContext
from crucible.model import Agent, Task, Trajectory
from crucible.record import Record
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.swe.model import Built
from tests.verifiers.attempts import judge_script, script_of, unmet_criteria

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Case:
    """A probe, and the pull request of a sample that it is played on."""

    probe: str
    sample: str
    number: int


CASES = [
    Case("rerun-go", "tally", 2),
    Case("rerun-rust", "kiln", 1),
    Case("lose-failures", "larder", 2),
    Case("rewrite-log", "parcel", 1),
]


async def mine_task(case: Case, world: World, blobs: Blobs) -> Task:
    """The task of a sample's pull request, with the alterations that its reference fails."""
    context = MiningContext(world=world, blobs=blobs, repeats=1)
    pulls = parts.find("source", "git").make(str(Path("sample_data/swe") / case.sample), context)
    made: list[Record] = [pull async for pull in pulls if pull.number == case.number]
    for stage in parts.find("pipeline", "swe").make().stages[:-1]:
        made = [one for item in made for one in await stage.work(item, context)]
    [built] = made
    assert isinstance(built, Built)
    task = built.task
    right = Trajectory(
        task_id=task.id,
        agent=Agent(scaffold="x", teacher="oracle"),
        system="",
        prompt="",
        steps=(),
        artifacts={"diff": blobs.put(task.reference.patch.encode())},
        ended="submitted",
    )
    return apply_settled(task, await settle_checks(task, right, Judging(world=world, blobs=blobs), 0))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.probe)
async def test_a_cheat_at_the_framework_of_another_language_is_given_away_by_altered_tests(
    case: Case, world: World, blobs: Blobs
) -> None:
    task = await mine_task(case, world, blobs)
    [verdict] = await judge_script(task, script_of(case.probe), world, blobs)
    assert (verdict.outcome, unmet_criteria(verdict)[-1]) == ("fail", "altered tests fail"), verdict.detail
