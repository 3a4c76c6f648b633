"""One attempt at one task: open a box, let the agent work, keep what it made."""

from __future__ import annotations

from crucible import parts
from crucible.acting import Attempt, Stops, Teacher
from crucible.mining import BlobStore
from crucible.model import Agent, Task, Trajectory
from crucible.sandbox import World
from crucible.store.threads import in_thread

SCAFFOLD = "native"
"""How a teacher is spoken to unless told otherwise."""


async def attempt(
    task: Task,
    agent: Agent,
    teacher: Teacher,
    world: World,
    blobs: BlobStore,
    stops: Stops = Stops(),  # noqa: B008
) -> Trajectory:
    """The trajectory, its artifacts kept. SandboxError and TeacherError when there is none."""
    loop: Attempt = parts.find("agent", "loop").make
    async with world.open(task.env) as box:
        trajectory, artifacts = await loop(task, box, agent, teacher, stops=stops)
    for data in artifacts.values():
        await in_thread(blobs.put, data)
    return trajectory
