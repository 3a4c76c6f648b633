"""A script is judged by what it does where its author has not looked: right, wrong, idle and boasting ones."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from crucible.domains.terminal.comparing import Case, Demand, ScriptParams
from crucible.domains.terminal.scenes import Effect, Entry, Scene
from crucible.errors import BoxExhausted
from crucible.model import Agent, Criterion, Task, Trajectory
from crucible.sandbox import Env, Recipe, World
from crucible.settings import Settings
from crucible.store.blobs import Blobs
from envs.docker.world import docker
from verifiers.script_effects import script_effects

ENV = Env(recipe=Recipe(packages=("git", "python3")), leaves="layer")
TASK = Task(domain="terminal", kind="script", instruction="sort", env=ENV)
ATTEMPT = Trajectory(
    task_id=TASK.id, agent=Agent(scaffold="native", teacher="x"), system="", prompt="", ended="submitted"
)


def case(lines: list[str], hidden: bool = False) -> Case:
    """Names in a file are to be printed in order, and the file is to be read-only afterwards."""
    text = "".join(f"{line}\n" for line in lines)
    scene = Scene(entries={"names.txt": Entry(text=text)})
    after = {"names.txt": Entry(text=text, mode=0o444), "last": Entry(kind="link", mode=0o777, target="names.txt")}
    return Case(
        scene=scene, expected=Effect(code=0, out="".join(sorted(text.splitlines(True))), entries=after), hidden=hidden
    )


PARAMS = ScriptParams(
    demands=(Demand(about="output", sentence="It prints."), Demand(about="files", sentence="It leaves.")),
    cases=(case(["b", "a"]), case(["d", "c"]), case(["z", "y"], hidden=True)),
    seconds=20,
)
RIGHT = "sort names.txt\nchmod 444 names.txt\nln -s names.txt last\n"


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    home = tmp_path_factory.mktemp("scripts")
    async with docker(Settings(home=home), Blobs(str(home / "blobs"))) as opened:
        yield opened


async def judge(world: World, script: str | None, params: ScriptParams = PARAMS) -> list[Criterion]:
    criteria = []
    async with world.open(ENV, phase="grading") as box:
        if script is not None:
            await box.write("solution.sh", script.encode())
        async for criterion in script_effects(TASK, ATTEMPT, box, params=params):
            criteria.append(criterion)
            if criterion.gate and not criterion.passed:
                break
    return criteria


async def test_a_right_script_meets_every_demand_in_every_folder(world: World) -> None:
    criteria = await judge(world, RIGHT)
    assert [criterion.passed for criterion in criteria] == [True] * 10, [each.evidence for each in criteria]


async def test_no_script_is_a_failed_gate(world: World) -> None:
    [criterion] = await judge(world, None)
    assert (criterion.passed, criterion.gate) == (False, True)


@pytest.mark.parametrize(
    "script",
    [
        "printf 'a\\nb\\n'\nchmod 444 names.txt\nln -s names.txt last\n",  # prints the first example
        "sort names.txt\nln -s names.txt last\n",  # leaves the mode
        "sort names.txt\nchmod 444 names.txt\ncp names.txt last\n",  # a copy, no link
        "sort names.txt\nchmod 444 names.txt\nln -s names.txt last\ntouch more\n",  # leaves more
        "echo all tests passed\nexit 0\n",  # boasts
    ],
)
async def test_a_script_that_does_something_else_fails(world: World, script: str) -> None:
    assert not all(criterion.passed for criterion in await judge(world, script))


async def test_a_script_that_does_not_end_fails_and_what_it_printed_is_evidence(world: World) -> None:
    criteria = await judge(
        world, "echo working\nwhile :; do sleep 1; done\n", PARAMS.model_copy(update={"seconds": 1.0})
    )
    assert not any(criterion.passed for criterion in criteria[1:])
    assert "timeout" in criteria[1].evidence


async def test_a_script_that_leaves_more_than_is_kept_has_used_up_its_box(world: World) -> None:
    """It was compared with nothing before, so that a reference which leaves too much was matched by any other."""
    with pytest.raises(BoxExhausted, match="what scripts leave"):
        await judge(world, "head -c 70M /dev/zero > large", PARAMS.model_copy(update={"cases": PARAMS.cases[:1]}))


async def test_a_script_that_is_stopped_fails_though_it_left_what_it_should(world: World) -> None:
    params = PARAMS.model_copy(update={"seconds": 3.0, "demands": PARAMS.demands[1:], "cases": PARAMS.cases[:1]})
    there, ended, files = await judge(world, f"{RIGHT}sleep 100\n", params)
    assert (there.passed, ended.passed, files.passed) == (True, False, True), files.evidence
    assert ended.name == "in example 1: It ends by itself within 3 seconds."
