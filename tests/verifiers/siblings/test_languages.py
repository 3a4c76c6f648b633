"""Tests in other languages than Python are asked about other inputs, too: small projects (`projects/*.toml`) in real
boxes."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible.datafile import read_file
from crucible.domains.code.suite import Suite, SuiteParams
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.model import Agent, Check, Reference, Task, Trajectory
from crucible.record import Record
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from pipelines.swe.recipes.toolchains import find_toolchain
from tests.patience import HUNG
from tests.verifiers.attempts import SEALED, judge_script, unmet_criteria
from verifiers.siblings.judging import NAME
from verifiers.siblings.settling import settle_siblings

PROJECTS = {file.stem: file for file in sorted((Path(__file__).parent / "projects").glob("*.toml"))}


class Project(Record):
    """A repository, the change that is asked for, and attempts at it."""

    toolchain: str
    runner: str
    command: str
    fail_to_pass: tuple[str, ...]
    base: dict[str, str]
    tests: dict[str, str]
    fix: str
    right: str
    table: str

    def read_params(self) -> SuiteParams:
        """What its suite must show."""
        tests = {path: text.lstrip("\n") for path, text in self.tests.items()}
        suite = Suite(runner=self.runner, command=self.command, timeout=HUNG)
        return SuiteParams(suite=suite, tests=tests, fail_to_pass=self.fail_to_pass)


async def make_task(project: Project, world: World, blobs: Blobs) -> Task:
    """The project as a task with siblings, as a proof leaves it."""
    tools = find_toolchain(project.toolchain)
    recipe = Recipe(
        base=tools.base,
        packages=tools.packages,
        tools=tools.tools,
        files={f"/workspace/{path}": text.lstrip("\n") for path, text in project.base.items()},
        commands=(f"chown root . && {SEALED}",),
        environment=tools.environment,
    )
    env, params = Env(recipe=recipe, limits=tools.limits), project.read_params()
    async with world.open(env) as box:
        assert (await box.exec(project.fix)).ok
        patch = (await box.exec("git add -A && git diff --cached --binary HEAD")).out
    task = Task(domain="swe", kind="bugfix", instruction="x", env=env, reference=Reference(patch=patch))
    agent = Agent(scaffold="x", teacher="oracle")
    left = {"diff": blobs.put(patch.encode())}
    right = Trajectory(task_id=task.id, agent=agent, system="", prompt="", steps=(), artifacts=left, ended="submitted")
    siblings = await settle_siblings(params, FreshBoxes(world, task, right, blobs))
    assert {each.kind for each in siblings} >= {"near", "larger"}
    assert len({each.test for each in siblings}) == len(project.fail_to_pass)
    settled = params.model_copy(update={"siblings": tuple(siblings)})
    return task.model_copy(update={"checks": (Check(verifier="suite", params=settled.model_dump(mode="json")),)})


@pytest.mark.slow
@pytest.mark.parametrize("name", PROJECTS)
async def test_who_knows_what_the_tests_ask_is_not_right(name: str, world: World, blobs: Blobs) -> None:
    project = read_file(PROJECTS[name], Project)
    task = await make_task(project, world, blobs)
    for script, unmet in ((project.right, []), (project.table, [NAME])):
        [verdict] = await judge_script(task, script, world, blobs)
        assert [each for each in unmet_criteria(verdict) if "leaves" not in each] == unmet, verdict.detail
