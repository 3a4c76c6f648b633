"""The Harbor folder of a terminal task in a real engine: graded from its own files it gives the verifier's verdict, and
it comes back as the task it was."""

from __future__ import annotations

import ast
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import docker
import pytest

from crucible.domains.terminal.comparing import Case, Demand, ScriptParams
from crucible.domains.terminal.scenes import Effect, Scene
from crucible.mining import ImportPlace
from crucible.model import Task
from crucible.running.run import Run, open_run
from crucible.sandbox import Env, World
from crucible.settings import Settings
from crucible.stages.import_tasks import import_tasks
from crucible.store.lookup import list_items
from exporters.harbor.grader import script_grader_files
from tests.exporters import boxes, terminal
from tests.exporters.terminal import COMMANDS

COMPARE = """import json, sys
sys.path.insert(0, sys.argv[1])
import importlib
importlib.import_module("crucible.domains.terminal.trials")
comparing = importlib.import_module("crucible.domains.terminal.comparing")
scenes = importlib.import_module("crucible.domains.terminal.scenes")
params = comparing.ScriptParams.model_validate(json.load(open(sys.argv[2])))
for out in ("b", "c"):
    print(comparing.are_equal(params.cases[0], scenes.Effect(code=0, out=out), params.demands))
"""


@pytest.fixture
async def task(world: World, run: Run) -> Task:
    made = (await terminal.make_tasks(world, run.blobs))[3]
    check = made.checks[0].model_copy(update={"params": {**made.checks[0].params, "seconds": 3.0}})
    return made.model_copy(update={"checks": (check,)})


@pytest.fixture
async def made(
    run: Run, task: Task, world: World, engine: docker.DockerClient, tmp_path: Path
) -> AsyncIterator[boxes.Made]:
    """The folder, built on an image that has the task's packages: a registry need not be reachable here."""
    image = await world.prepare(Env(recipe=task.env.recipe))
    bare = task.env.recipe.model_copy(update={"base": image, "packages": ()})
    on_image = task.model_copy(update={"env": task.env.model_copy(update={"recipe": bare})})
    with boxes.built(engine, await boxes.exported(run, on_image, tmp_path / "out"), image) as found:
        yield found


def write(script: str) -> str:
    """A command by which an agent leaves its script."""
    command = f"printf '%s' {shlex.quote(script)} > /workspace/solution.sh"
    return f"runuser -u agent -- sh -c {shlex.quote(command)}"


@pytest.mark.slow
async def test_a_folder_graded_from_its_own_files_gives_the_verdict_of_the_verifier(
    engine: docker.DockerClient, made: boxes.Made, task: Task
) -> None:
    assert boxes.reward(engine, made, "test -f /workspace/examples/1/before/sales.txt") == 0
    assert boxes.reward(engine, made, "/solution/solve.sh") == 1
    assert boxes.reward(engine, made, write(COMMANDS.replace("sort -u", "sort | uniq"))) == 1
    params = ScriptParams.model_validate(task.checks[0].params)
    shown = params.cases[0].expected.entries["sorted.txt"].text
    wrong = {
        "a step left out": COMMANDS.partition("\n")[0],
        "the first example's result": f"printf {shlex.quote(shown)} > sorted.txt; chmod 444 sorted.txt",
        "a file too many": f"{COMMANDS}\ntouch more",
        "gives itself the reward": "(sleep 1; echo 1 > /logs/verifier/reward.txt) & true",
        "does not end": "while :; do sleep 1; done",
        "does it and does not end": f"{COMMANDS}\nsleep 100",
    }
    for name, script in wrong.items():
        assert boxes.reward(engine, made, write(script)) == 0, name
    peek = "cat /tests/wanted.json >/dev/null 2>&1 && touch read-it\n"
    assert boxes.reward(engine, made, write(peek + COMMANDS)) == 1  # it cannot be read, so nothing was left


async def test_a_folder_of_ours_comes_back_as_the_task_it_was(made: boxes.Made, task: Task, tmp_path: Path) -> None:
    with open_run(Settings(home=tmp_path / "other")) as other:
        await import_tasks(other, "harbor", ImportPlace(made.folder))
        [found] = [item.record(Task) for item in list_items(other.ledger, "draft")]
        assert (found.instruction, found.checks, found.reference) == (task.instruction, task.checks, task.reference)
        laid = [other.blobs.get(file.blob) for file in found.env.files.values()]
        assert laid
        assert found.provenance == task.provenance


def test_what_is_shipped_is_what_the_verifier_compares_by() -> None:
    shipped = {file.path: file.data for file in script_grader_files()}
    for name in ("comparing", "scenes", "trials", "archives"):
        path = f"crucible/domains/terminal/{name}.py"
        assert shipped[path] == Path(path).read_bytes()
    assert b"pydantic" not in shipped["crucible/record.py"]


def test_the_shipped_grader_runs_on_the_standard_library_alone(tmp_path: Path) -> None:
    for file in script_grader_files():
        place = tmp_path / "grade" / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.data)
        ast.parse(file.data, feature_version=(3, 10))
    case = Case(scene=Scene(), expected=Effect(code=0, out="b\n"))
    params = ScriptParams(demands=(Demand(about="output", sentence="It prints."),), cases=(case,))
    (tmp_path / "wanted.json").write_text(params.model_dump_json())
    command = [sys.executable, "-I", "-S", "-c", COMPARE, str(tmp_path / "grade"), str(tmp_path / "wanted.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
