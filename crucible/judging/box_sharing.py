"""The box that a check is judged in: a fresh one for each, unless checks that follow each other say they share one."""

from __future__ import annotations

from contextlib import AsyncExitStack

from crucible.judging.grading import open_grading_box
from crucible.mining import BlobStore
from crucible.model import Task, Trajectory
from crucible.sandbox import Sandbox, World


class GradingBox:
    """Opened when first asked for. Whoever judges in it closes it, before a check that must have a fresh one."""

    def __init__(self, world: World, task: Task, trajectory: Trajectory, blobs: BlobStore) -> None:
        self._how = (world, task, trajectory, blobs)
        self._stack = AsyncExitStack()
        self._box: Sandbox | None = None

    async def open(self) -> Sandbox:
        """The box that is open, or a fresh one."""
        if self._box is None:
            self._box = await self._stack.enter_async_context(open_grading_box(*self._how))
        return self._box

    async def close(self) -> None:
        """Close what is open; the next to ask gets a fresh box."""
        self._box = None
        await self._stack.aclose()
