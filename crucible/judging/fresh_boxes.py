"""More boxes for one check: a verifier that compares trees, or runs twice, gets each run a box that nothing else used.

Handed to a verifier that says `needs=("boxes",)`. The boxes are opened like the check's own, so that nothing in one
tells which run it is for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from crucible.box_patch import apply_patch
from crucible.errors import Undecided
from crucible.judging.grading import open_grading_box
from crucible.mining import BlobStore
from crucible.model import Task, Trajectory
from crucible.sandbox import Sandbox, World


@dataclass(frozen=True)
class FreshBoxes:
    """Opens boxes for the check of one attempt at a task."""

    world: World
    task: Task
    trajectory: Trajectory
    blobs: BlobStore

    def open_attempt(self) -> AbstractAsyncContextManager[Sandbox]:
        """Another box with what the attempt left."""
        return open_grading_box(self.world, self.task, self.trajectory, self.blobs)

    def open_base(self) -> AbstractAsyncContextManager[Sandbox]:
        """A box with the task's base and nothing of the attempt: what goes wrong here is not its doing."""
        return self.world.open(self.task.env, phase="grading")

    @asynccontextmanager
    async def open_reference(self) -> AsyncIterator[Sandbox]:
        """A box with the task's reference, in which the attempt never was."""
        patch = self.task.reference.patch.encode()
        async with self.open_base() as box:
            if patch and not (done := await apply_patch(box, patch)).ok:
                raise Undecided(f"the reference does not apply: {done.err[-300:]}")
            yield box
