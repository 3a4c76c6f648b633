"""The Harbor folder of a terminal task about a running service, graded from its own files, gives the verifier's
verdict."""

from __future__ import annotations

from pathlib import Path

import docker
import pytest

from crucible.model import Check, Provenance, Reference, Task
from crucible.running.run import Run
from crucible.sandbox import Env, World
from pipelines.terminal.drafting.environment import make_env
from tests.crucible.domains.terminal.restarts import PARAMS, SCRIPTS
from tests.exporters import boxes
from tests.exporters.test_harbor_scripts import write

TRIED = {"restarts it": 1, "edits and does not restart": 0}
HIDDEN = PARAMS.model_copy(update={"cases": PARAMS.cases[1:]})


@pytest.mark.slow
async def test_a_restarted_service_is_graded_from_the_folder_as_by_the_verifier(
    run: Run, world: World, engine: docker.DockerClient, tmp_path: Path
) -> None:
    env = make_env(())
    image = await world.prepare(Env(recipe=env.recipe))
    bare = env.recipe.model_copy(update={"base": image, "packages": ()})
    task = Task(
        domain="terminal",
        kind="script",
        instruction="Restart it.",
        env=env.model_copy(update={"recipe": bare}),
        checks=(Check(verifier="script-effects", params=HIDDEN.model_dump(mode="json")),),
        reference=Reference(files={"/workspace/solution.sh": SCRIPTS["restarts it"]}),
        provenance=Provenance(source="here"),
    )
    with boxes.built(engine, await boxes.exported(run, task, tmp_path / "out"), image) as made:
        rewards = {name: boxes.reward(engine, made, write(SCRIPTS[name])) for name in TRIED}
    assert rewards == TRIED
