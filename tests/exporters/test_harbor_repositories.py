"""The Harbor folder of a terminal task in a git repository, graded from its own files, gives the verifier's verdict."""

from __future__ import annotations

from pathlib import Path

import docker
import pytest

from crucible.domains.terminal.comparing import ScriptParams, are_equal
from crucible.model import Task
from crucible.running.run import Run
from crucible.sandbox import Env, World
from pipelines.terminal.drafting.environment import make_env
from pipelines.terminal.scenes.starts import run_scripts
from tests.exporters import boxes, terminal
from tests.exporters.terminal import GIT_THREAD
from tests.exporters.test_harbor_scripts import write

SCRIPTS = {
    "git update-ref refs/heads/feature topic && git update-ref -d refs/heads/topic": 1,
    "git branch -q -D topic; git branch feature": 0,
    "true": 0,
}
"""What each is worth: the branch has another name and the same commits, or it was not renamed."""


async def rewards_by_verifier(task: Task, world: World) -> list[int]:
    """What the comparison of the verifier gives each script, in a box."""
    params = ScriptParams.model_validate(task.checks[0].params)
    async with world.open(make_env(())) as box:
        runs = [(script, case.scene) for script in SCRIPTS for case in params.cases]
        effects = [outcome.effect for outcome in await run_scripts(box, runs)]
    cases = list(params.cases) * len(SCRIPTS)
    equal = [are_equal(case, effect, params.demands) for case, effect in zip(cases, effects, strict=True)]
    n = len(params.cases)
    return [int(all(equal[start : start + n])) for start in range(0, len(equal), n)]


@pytest.mark.slow
async def test_a_repository_is_graded_from_the_folder_as_by_the_verifier(
    run: Run, world: World, engine: docker.DockerClient, tmp_path: Path
) -> None:
    task = (await terminal.make_tasks(world, run.blobs, GIT_THREAD))[3]
    assert all(case["scene"]["repositories"] for case in task.checks[0].params["cases"])
    image = await world.prepare(Env(recipe=task.env.recipe))
    bare = task.env.recipe.model_copy(update={"base": image, "packages": ()})
    on_image = task.model_copy(update={"env": task.env.model_copy(update={"recipe": bare})})
    with boxes.built(engine, await boxes.exported(run, on_image, tmp_path / "out"), image) as made:
        by_folder = [boxes.reward(engine, made, write(script)) for script in SCRIPTS]
        by_reference = boxes.reward(engine, made, "/solution/solve.sh")
    assert by_folder == await rewards_by_verifier(task, world) == list(SCRIPTS.values())
    assert by_reference == 1
