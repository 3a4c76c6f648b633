"""Boxes beside boxes, opened ahead of their use: whoever had one beside a box of some kind will want one again.

A box that waits in the pool gets its neighbour there, before anything of an attempt is in either of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Any

from crucible.errors import CrucibleError
from crucible.sandbox import BeginUse, Env
from envs.docker.box import Box
from envs.docker.pool import OpenedBox, close_opening


@dataclass(frozen=True)
class Neighbour:
    """What is opened beside a box."""

    env: Env
    begin: BeginUse | None
    """What is done in it before it is handed over."""


OpenNeighbour = Callable[[Box, Neighbour], Coroutine[Any, Any, OpenedBox]]


class Neighbours:
    """Those that nobody uses yet, and which will be wanted."""

    def __init__(self, open_neighbour: OpenNeighbour) -> None:
        self._open = open_neighbour
        self._wanted: dict[str, Neighbour] = {}
        """What was opened last beside a box of each kind."""
        self._openings: dict[str, tuple[Neighbour, asyncio.Task[OpenedBox]]] = {}
        """By the container that they are beside."""

    def open_ahead(self, box: Box, stack: AsyncExitStack) -> None:
        """Begin to open what will be wanted beside a box; the stack that closes the box closes it first."""
        if neighbour := self._wanted.get(box.plan.kind):
            self._openings[box.container] = neighbour, asyncio.create_task(self._open(box, neighbour))
            stack.push_async_callback(self._close_unused, box)

    async def take(self, box: Box, neighbour: Neighbour) -> OpenedBox:
        """The one that was opened ahead, or else a fresh one. A box that was restarted has another network since."""
        self._wanted[box.plan.kind] = neighbour
        opened, opening = self._openings.get(box.container, (None, None))
        if opening is not None and opened == neighbour and not box.restarts:
            del self._openings[box.container]
            with suppress(CrucibleError):
                return await opening
        return await self._open(box, neighbour)

    async def _close_unused(self, box: Box) -> None:
        """Close one that nobody asked for, and expect none until somebody does."""
        _, opening = self._openings.pop(box.container, (None, None))
        if opening is not None:
            self._wanted.pop(box.plan.kind, None)
            await close_opening(opening)
