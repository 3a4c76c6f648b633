"""While a task is proven a box is used again where nothing of its last use is left in it, and only there."""

from __future__ import annotations

from crucible import parts
from crucible.judging.box_sharing import GradingBox
from crucible.judging.player_boxes import open_player_boxes
from crucible.model import Agent, Task, Trajectory
from crucible.sandbox import Env, Recipe, Sandbox, World
from crucible.store.blobs import Blobs

TASK = Task(
    domain="toy",
    kind="machine",
    instruction="x",
    env=Env(recipe=Recipe(packages=("ca-certificates", "git", "python3", "python3-venv")), leaves="layer"),
    checks=(),
)
ATTEMPT = Trajectory(
    task_id=TASK.id, agent=Agent(scaffold="native", teacher="nop"), system="", prompt="", ended="submitted"
)


async def test_a_box_is_kept_for_the_next_grading_only_where_nothing_is_left(world: World, blobs: Blobs) -> None:
    attempt = ATTEMPT.model_copy(update={"artifacts": {"layer": blobs.put(bytes(10_240))}})
    part = parts.find("verifier", "script-effects")
    grading = GradingBox(world, TASK, attempt, blobs)
    try:
        box = await grading.open(part)
        await box.exec("echo 1 > /tmp/scratch; rm /tmp/scratch")
        await grading.renew()
        assert await grading.open(part) is box
        for leave in ("echo 1 > /tmp/left", "echo 1 > /dev/shm/left"):
            used = await grading.open(part)
            await used.exec(leave)
            await grading.renew()
            assert await grading.open(part) is not used
    finally:
        await grading.aclose()


async def test_a_player_who_left_nothing_hands_the_box_on(world: World) -> None:
    seen: list[Sandbox] = []

    async def idle(box: Sandbox) -> Trajectory:
        seen.append(box)
        return ATTEMPT.model_copy(update={"left": "unchanged"})

    async def work(box: Sandbox) -> Trajectory:
        seen.append(box)
        return ATTEMPT.model_copy(update={"left": "changed"})

    async def leave_memory(box: Sandbox) -> Trajectory:
        await box.exec("echo 1 > /dev/shm/left")
        return await idle(box)

    async with open_player_boxes(world, TASK.env) as boxes:
        for act in (idle, work, leave_memory, idle):
            await boxes.play(act)
    first, second, third, fourth = seen
    assert first is second
    assert second is not third
    assert third is not fourth
