"""The boxes that the players of a proof act in, one after the other. They are the product's own and hide nothing: a box
that one of them left as it found it, to the byte, is handed to the next."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from crucible.model import Trajectory
from crucible.sandbox import Env, Sandbox, World

LIST_MEMORY = "find /dev/shm /dev/mqueue -mindepth 1; for kind in msg sem shm; do tail -n +2 /proc/sysvipc/$kind; done"
"""Prints what processes may have left in a box beside its files."""


class PlayerBoxes:
    """Opens a box when there is none to hand on. Opened by `open_player_boxes`."""

    def __init__(self, world: World, env: Env) -> None:
        self._world = world
        self._env = env
        self._box: Sandbox | None = None
        self.stack = AsyncExitStack()

    async def play(self, act: Callable[[Sandbox], Awaitable[Trajectory]]) -> Trajectory:
        """Let one player act in a box."""
        box, self._box = self._box, None
        if box is None:
            await self.stack.aclose()
            box = await self.stack.enter_async_context(self._world.open(self._env))
        trajectory = await act(box)
        is_untouched = self._env.leaves == "layer" and trajectory.left == "unchanged"
        if is_untouched and await end_without_memory(box):
            self._box = box
        return trajectory


@asynccontextmanager
async def open_player_boxes(world: World, env: Env) -> AsyncIterator[PlayerBoxes]:
    """Boxes of one task; all are closed at the end."""
    boxes = PlayerBoxes(world, env)
    async with boxes.stack:
        yield boxes


async def end_without_memory(box: Sandbox) -> bool:
    """End what commands have left running; whether nothing of it stays in memory."""
    await box.end_processes()
    left = await box.exec(LIST_MEMORY)
    return left.ok and not left.out
