"""Boxes opened ahead of their use, while others are at work. One that nobody came for makes room for the next."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import AsyncExitStack, suppress
from typing import Any

from crucible.errors import CrucibleError
from envs.docker.box import Box

Opened = tuple[AsyncExitStack, Box]
"""A box, and the stack that will close it."""
Open = Callable[[], Coroutine[Any, Any, Opened]]

AGAIN = 3
"""What was opened so often will be opened again, whoever has not said so."""
DEEP = 2
"""So many of one kind are kept ready where they are expected: the next one is wanted before another can be opened."""


class Pool:
    """At most `size` boxes that nobody uses yet, by what they are boxes of."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._ready: OrderedDict[str, list[asyncio.Task[Opened]]] = OrderedDict()
        self._times: Counter[str] = Counter()
        self._expected: Counter[str] = Counter()
        self._leaving: set[asyncio.Task[None]] = set()

    async def take(self, of: str, fresh: Open) -> Opened:
        """One that is ready, or a fresh one."""
        self._times[of] += 1
        self._expected[of] -= self._expected[of] > 0
        while kept := self._ready.get(of):
            with suppress(CrucibleError):
                return await kept.pop(0)
        return await fresh()

    def expect(self, of: str, fresh: Open, count: int) -> None:
        """So many will be taken soon: open the first of them now."""
        self._expected[of] = count
        self.refill(of, fresh)

    def refill(self, of: str, fresh: Open) -> None:
        """Open the next ones now, if they will be wanted. For the first, one of what was longest unused makes room."""
        kept = self._ready.setdefault(of, [])
        self._ready.move_to_end(of)
        while len(kept) < min(self._size, self._wanted(of)):
            if self._count() >= self._size and (kept or not self._make_room()):
                return
            kept.append(asyncio.create_task(fresh()))

    def _wanted(self, of: str) -> int:
        return min(DEEP, max(self._expected[of], int(self._times[of] >= AGAIN)))

    def _count(self) -> int:
        return sum(map(len, self._ready.values()))

    def _make_room(self) -> bool:
        stale = next((kept for kept in self._ready.values() if kept), None)
        if stale:
            self.leave(_closed(stale.pop()))
        return bool(stale)

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

    async def drop(self, kinds: Iterable[str]) -> None:
        """Close what is ready of these."""
        for opening in [opening for of in list(kinds) for opening in self._ready.pop(of, ())]:
            await _closed(opening)

    async def close(self) -> None:
        """Close what is ready, too."""
        for kept in self._ready.values():
            for opening in kept:
                opening.cancel()
        await self.drop(self._ready)
        await self.settle()

    async def settle(self) -> None:
        """Wait for all that leaves."""
        while self._leaving:
            await asyncio.wait(self._leaving)


async def _closed(opening: Awaitable[Opened]) -> None:
    with suppress(asyncio.CancelledError, CrucibleError):
        stack, _ = await opening
        await stack.aclose()
