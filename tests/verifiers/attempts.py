"""A script run as an attempt in a box of its own, and judged in fresh ones."""

from __future__ import annotations

from agents.teachers.scripted import PROBES, load_script
from agents.translation import Call
from crucible.judging.cascade import Judging, judge
from crucible.model import Agent, Step, Task, Trajectory, Verdict
from crucible.sandbox import World
from crucible.store.blobs import Blobs

SEALED = (
    "git init -q -b main . && git add -A && git -c user.name=a -c user.email=a@x commit -qm base && chown -R agent ."
)


async def judge_script(task: Task, script: str, world: World, blobs: Blobs, says: str = "") -> list[Verdict]:
    """The verdicts on what the script leaves behind."""
    trajectory = await play_script(task, script, world, blobs, says)
    return [verdict async for verdict in judge(task, trajectory, Judging(world=world, blobs=blobs))]


async def play_script(task: Task, script: str, world: World, blobs: Blobs, says: str = "") -> Trajectory:
    """The attempt that it is."""
    async with world.open(task.env) as box:
        done = await box.exec(script)
        assert done.ok, done.err
        diff = (await box.exec("git add -A && git diff --cached --binary HEAD")).out
    return Trajectory(
        task_id=task.id,
        agent=Agent(scaffold="x", teacher="scripted"),
        system="",
        prompt="",
        steps=(Step(text=says),),
        artifacts={"diff": blobs.put(diff.encode())},
        ended="submitted",
    )


def unmet_criteria(verdict: Verdict) -> list[str]:
    return [criterion.name for criterion in verdict.criteria if not criterion.passed]


def script_of(name: str) -> str:
    """The shell commands of a probe."""
    calls = [call for turn in load_script(PROBES / f"{name}.toml").turns for call in turn.calls]
    return "\n".join(
        str(call.arguments["command"]) for call in calls if isinstance(call, Call) and call.tool == "shell"
    )
