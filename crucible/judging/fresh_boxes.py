"""More boxes for one check: a verifier that compares trees, or runs twice, gets each run a box that nothing else used.

Handed to a verifier that says `needs=("boxes",)`. The boxes are opened like the check's own, so that nothing in one
tells which run it is for.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

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
