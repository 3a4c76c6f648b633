"""One attempt at one task: open a box, let the agent work, keep what it made."""

from __future__ import annotations

from crucible import parts
from crucible.acting import Attempt, Stops, Teacher, reference_file
from crucible.mining import BlobStore
from crucible.model import Agent, Reference, Task, Trajectory
from crucible.sandbox import Sandbox, World
from crucible.serving import GivenServices, Services
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
    services: Services | None = None,
) -> Trajectory:
    """The trajectory, its artifacts kept. SandboxError and TeacherError when there is none."""
    async with world.open(task.env) as box:
        return await attempt_in_box(task, agent, teacher, box, blobs, stops, services)


async def attempt_in_box(
    task: Task,
    agent: Agent,
    teacher: Teacher,
    box: Sandbox,
    blobs: BlobStore,
    stops: Stops,
    services: Services | None = None,
) -> Trajectory:
    """The same in a box that is open and that nobody has used."""
    make_attempt: Attempt = parts.find("agent", agent.harness).make
    services = services or GivenServices({"blobs": blobs})
    if getattr(teacher, "plays_reference", False):
        await lay_reference(box, task.reference, blobs)
    trajectory, artifacts = await make_attempt(task, box, agent, teacher, stops=stops, services=services)
    for data in artifacts.values():
        await in_thread(blobs.put, data)
    return trajectory


async def lay_reference(box: Sandbox, reference: Reference, blobs: BlobStore) -> None:
    """Put the reference's files of any bytes where its player copies them from: no tool of a teacher carries bytes."""
    for blob in dict.fromkeys(reference.blobs.values()):
        await box.write(reference_file(blob), await in_thread(blobs.get, blob))
