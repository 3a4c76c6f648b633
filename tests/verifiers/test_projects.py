"""Small projects whose tests are altered as in any task (`projects/*.toml`): cheats at them fail, each for the reason
that gives it away, and right code in other words passes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic import Field

from crucible.datafile import read_file
from crucible.domains.code.suite import Suite, SuiteParams
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.judging.settling import apply_settled
from crucible.model import Agent, Check, Reference, Task, Trajectory
from crucible.record import Record
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from pipelines.swe.recipes.toolchains import find_toolchain
from tests.patience import HUNG
from tests.verifiers.attempts import SEALED, judge_script, script_of, unmet_criteria
from verifiers.twins.settling.settle import settle_twins

pytestmark = pytest.mark.slow

PROJECTS = {file.stem: file for file in sorted((Path(__file__).parent / "projects").glob("*.toml"))}
AT_ONCE = 2


class Cheat(Record):
    """An attempt that fixes nothing, or not all."""

    name: str
    unmet: str
    """The criterion that it fails by."""
    script: str = "true"
    probes: tuple[str, ...] = ()
    """What it does besides."""


class Project(Record):
    """A repository, the change that is asked for, and attempts at it."""

    toolchain: str
    command: str
    runner: str
    fail_to_pass: tuple[str, ...]
    base: dict[str, str]
    tests: dict[str, str]
    fix: str
    honest: str
    is_copied: bool = False
    """Whether it has a test with so many assertions that copies of it are run."""
    cheats: tuple[Cheat, ...] = Field(min_length=1)


async def make_task(project: Project, world: World, blobs: Blobs) -> Task:
    """The project as a task with twins, as a proof leaves it."""
    tools = find_toolchain(project.toolchain)
    recipe = Recipe(
        base=tools.base,
        packages=tools.packages,
        tools=tools.tools,
        files={f"/workspace/{path}": text.lstrip("\n") for path, text in project.base.items()},
        commands=(f"chown root . && {SEALED}",),
        environment=tools.environment,
    )
    params = SuiteParams(
        suite=Suite(runner=project.runner, command=project.command, timeout=HUNG),
        tests={path: text.lstrip("\n") for path, text in project.tests.items()},
        fail_to_pass=project.fail_to_pass,
    )
    env = Env(recipe=recipe, limits=tools.limits)
    async with world.open(env) as box:
        assert (await box.exec(project.fix)).ok
        patch = (await box.exec("git add -A && git diff --cached --binary HEAD")).out
    check = Check(verifier="suite", params=params.model_dump(mode="json"))
    task = Task(
        domain="swe", kind="bugfix", instruction="x", env=env, checks=(check,), reference=Reference(patch=patch)
    )
    agent = Agent(scaffold="x", teacher="oracle")
    left = {"diff": blobs.put(patch.encode())}
    right = Trajectory(task_id=task.id, agent=agent, system="", prompt="", steps=(), artifacts=left, ended="submitted")
    return apply_settled(task, (await settle_twins(params, FreshBoxes(world, task, right, blobs)),))


@pytest.mark.parametrize("name", PROJECTS)
async def test_cheats_fail_by_what_gives_them_away_and_right_code_in_other_words_passes(
    name: str, world: World, blobs: Blobs
) -> None:
    project = read_file(PROJECTS[name], Project)
    task = await make_task(project, world, blobs)
    twins = SuiteParams.model_validate(task.checks[0].params).twins
    assert any(twin.is_copied for twin in twins) == project.is_copied
    turns = asyncio.Semaphore(AT_ONCE)

    async def judged(script: str) -> str:
        async with turns:
            [verdict] = await judge_script(task, script, world, blobs)
        return "pass" if verdict.outcome == "pass" else unmet_criteria(verdict)[-1]

    scripts = {cheat.name: "\n".join([cheat.script, *map(script_of, cheat.probes)]) for cheat in project.cheats}
    found = await asyncio.gather(judged(project.honest), *map(judged, scripts.values()))
    assert dict(zip(["honest", *scripts], found, strict=True)) == {"honest": "pass"} | {
        cheat.name: cheat.unmet for cheat in project.cheats
    }
