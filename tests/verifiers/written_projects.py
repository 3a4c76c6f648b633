"""Small projects that are written out in a file, as tasks that a proof has settled."""

from __future__ import annotations

from crucible.domains.code.suite import Suite, SuiteParams
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.judging.settling import apply_settled
from crucible.model import Agent, Check, Reference, Task, Trajectory
from crucible.part_kinds import Settle
from crucible.record import Record
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from pipelines.swe.recipes.toolchains import find_toolchain
from tests.patience import HUNG
from tests.verifiers.attempts import SEALED


class WrittenProject(Record):
    """A repository, its tests, and the change that is asked for."""

    toolchain: str
    command: str
    runner: str
    fail_to_pass: tuple[str, ...]
    base: dict[str, str]
    tests: dict[str, str]
    fix: str

    def read_params(self) -> SuiteParams:
        """What its suite must show."""
        tests = {path: text.lstrip("\n") for path, text in self.tests.items()}
        suite = Suite(runner=self.runner, command=self.command, timeout=HUNG)
        return SuiteParams(suite=suite, tests=tests, fail_to_pass=self.fail_to_pass)


async def make_task(project: WrittenProject, settle: Settle, world: World, blobs: Blobs) -> Task:
    """The project as a task with what is found out about it when it is proven."""
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
    check = Check(verifier="suite", params=params.model_dump(mode="json"))
    task = Task(
        domain="swe", kind="bugfix", instruction="x", env=env, checks=(check,), reference=Reference(patch=patch)
    )
    agent = Agent(scaffold="x", teacher="oracle")
    left = {"diff": blobs.put(patch.encode())}
    right = Trajectory(task_id=task.id, agent=agent, system="", prompt="", steps=(), artifacts=left, ended="submitted")
    return apply_settled(task, (await settle(params, FreshBoxes(world, task, right, blobs)),))
