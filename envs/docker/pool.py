"""Boxes opened ahead of their use, while others are at work. One that nobody came for makes room for the next."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from typing import Any

from crucible.errors import CrucibleError
from envs.docker.box import Box

Opened = tuple[AsyncExitStack, Box]
"""A box, and the stack that will close it."""
Open = Callable[[], Coroutine[Any, Any, Opened]]

AGAIN = 3
"""What was opened so often will be opened again: a proof takes dozens of boxes, an attempt one or two."""


class Pool:
    """At most `size` boxes that nobody uses yet, by what they are boxes of."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._ready: OrderedDict[str, list[asyncio.Task[Opened]]] = OrderedDict()
        self._times: Counter[str] = Counter()
        self._leaving: set[asyncio.Task[None]] = set()

    async def take(self, of: str, fresh: Open) -> Opened:
        """One that is ready, or a fresh one."""
        self._times[of] += 1
        while kept := self._ready.get(of):
            with suppress(CrucibleError):
                return await kept.pop(0)
        return await fresh()

    def refill(self, of: str, fresh: Open) -> None:
        """Open the next one now, if one will be wanted; the oldest of another kind makes room."""
        if not self._size or self._times[of] < AGAIN or self._ready.get(of):
            return
        self._ready.pop(of, None)
        if sum(map(len, self._ready.values())) >= self._size:
            _, stale = self._ready.popitem(last=False)
            for opening in stale:
                self.leave(_closed(opening))
        self._ready[of] = [asyncio.create_task(fresh())]

    async def warm(self, of: str, fresh: Open, count: int) -> None:
        """Have so many ready."""
        kept = self._ready.setdefault(of, [])
        kept += [asyncio.create_task(fresh()) for _ in range(count - len(kept))]
        await asyncio.gather(*kept)

    def leave(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Clear away beside other work."""
        task = asyncio.create_task(work)
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)
        return task

    async def close(self) -> None:
        """Close what is ready, too."""
        openings = [opening for kept in self._ready.values() for opening in kept]
        self._ready.clear()
        for opening in openings:
            opening.cancel()
            await _closed(opening)
        await self.settle()

    async def settle(self) -> None:
        """Wait for all that leaves."""
        while self._leaving:
            await asyncio.wait(self._leaving)


async def _closed(opening: Awaitable[Opened]) -> None:
    with suppress(asyncio.CancelledError, CrucibleError):
        stack, _ = await opening
        await stack.aclose()
