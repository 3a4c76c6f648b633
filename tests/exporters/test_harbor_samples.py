"""Harbor folders of sample tasks in other languages, in a real engine: nothing done earns 0, the solution 1."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import docker
import pytest
import pytest_asyncio

from crucible import parts
from crucible.domains.code.suite import SuiteParams
from crucible.mining import MiningContext, Pipeline
from crucible.model import Task
from crucible.record import Record
from crucible.running.run import Run
from crucible.sandbox import Env
from crucible.stages.mine import open_mining
from pipelines.swe.model import Built
from tests.exporters import boxes

pytestmark = pytest.mark.slow

SAMPLES = {"tally": ("go", 2), "crumb": ("node", 2), "kiln": ("cargo", 3)}
"""By the repository's name: its framework, and a pull request that mends something."""


@pytest_asyncio.fixture
async def context(run: Run) -> AsyncIterator[MiningContext]:
    async with open_mining(run, parts.find("pipeline", "swe").make()) as opened:
        yield opened


async def mined(name: str, number: int, context: MiningContext) -> Task:
    swe: Pipeline = parts.find("pipeline", "swe").make()
    source = parts.find("source", "git").make(f"sample_data/swe/{name}", context)
    made: list[Record] = [pull async for pull in source if pull.number == number]
    for stage in swe.stages[:-1]:
        made = [one for item in made for one in await stage.work(item, context)]
    [draft] = made
    assert isinstance(draft, Built)
    return draft.task


async def onto_its_tools(task: Task, context: MiningContext) -> Task:
    """The task on an image that has its packages and tools already: the folder would bring them from a registry."""
    recipe = task.env.recipe
    tools = await context.world.prepare(Env(recipe=recipe.model_copy(update={"archives": {}, "commands": ()})))
    bare = recipe.model_copy(update={"base": tools, "packages": (), "tools": ()})
    return task.model_copy(update={"env": task.env.model_copy(update={"recipe": bare})})


@pytest.mark.parametrize("name", SAMPLES)
async def test_a_solution_in_another_language_earns_the_reward_and_nothing_done_does_not(
    name: str, run: Run, context: MiningContext, engine: docker.DockerClient, tmp_path: Path
) -> None:
    runner, number = SAMPLES[name]
    task = await onto_its_tools(await mined(name, number, context), context)
    wanted = SuiteParams.model_validate(task.checks[0].params)
    assert (wanted.suite.runner, bool(wanted.inline)) == (runner, runner == "cargo")
    folder = await boxes.exported(run, task, tmp_path / "out")
    with boxes.built(engine, folder, task.env.recipe.base) as made:
        assert boxes.reward(engine, made) == 0
        assert boxes.reward(engine, made, "/solution/solve.sh") == 1
        if name == "crumb":  # the same program in every folder
            cut_short = "printf '#!/bin/sh\\nexit 0\\n' >/usr/bin/timeout"
            assert boxes.reward(engine, made, "/solution/solve.sh", cut_short) == 0
