"""The fresh box an attempt is judged in: the task's own base plus the attempt's diff, and nothing else of the agent.

No process, no file outside the workdir, no git history of the agent's comes along.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from crucible.box_patch import apply_patch
from crucible.errors import Undecided
from crucible.mining import BlobStore
from crucible.model import Task, Trajectory
from crucible.sandbox import Sandbox, World


@asynccontextmanager
async def open_grading_box(
    world: World, task: Task, trajectory: Trajectory, blobs: BlobStore
) -> AsyncIterator[Sandbox]:
    """A fresh box with the attempt's diff laid over the base. Undecided when it does not apply."""
    async with world.open(task.env) as box:
        diff = read_diff(trajectory, blobs)
        if diff.strip():
            done = await apply_patch(box, diff)
            if not done.ok:
                raise Undecided(f"the attempt's diff does not apply to a fresh base: {done.err.strip()[-300:]}")
        yield box


def read_diff(trajectory: Trajectory, blobs: BlobStore) -> bytes:
    """What the attempt changed in its workdir, as a git diff; empty when it kept none."""
    digest = trajectory.artifacts.get("diff")
    return blobs.get(digest) if digest else b""
