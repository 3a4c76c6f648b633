"""Boxes opened ahead of their use. A *kind* is what they are boxes of: the hash of an env, or a fork's image."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import AsyncExitStack, suppress
from typing import Any

from crucible.errors import CrucibleError
from envs.docker.box import Box

OpenedBox = tuple[AsyncExitStack, Box]
"""A box, and the stack that will close it."""
OpenBox = Callable[[], Coroutine[Any, Any, OpenedBox]]
"""Opens a fresh box of one kind."""

OFTEN = 3
"""A kind that was taken this many times without anybody having said so is kept ready: it will be wanted again."""
READY_PER_KIND = 2
"""At most so many boxes of one kind are kept ready: a second may be wanted before another can be opened."""


class Pool:
    """At most `size` boxes that nobody uses yet, by their kind."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._ready: OrderedDict[str, list[asyncio.Task[OpenedBox]]] = OrderedDict()
        self._unexpected: Counter[str] = Counter()
        self._expected: Counter[str] = Counter()
        self._removals: set[asyncio.Task[None]] = set()

    async def take(self, kind: str, open_box: OpenBox) -> OpenedBox:
        """A box of this kind: one that is ready, or else a fresh one."""
        if self._expected[kind]:
            self._expected[kind] -= 1
        else:
            self._unexpected[kind] += 1
        while ready := self._ready.get(kind):
            with suppress(CrucibleError):
                return await ready.pop(0)
        return await open_box()

    def expect(self, kind: str, open_box: OpenBox, count: int) -> None:
        """Open boxes of this kind now, for `count` will be taken soon."""
        self._expected[kind] = count
        self.refill(kind, open_box)

    def refill(self, kind: str, open_box: OpenBox) -> None:
        """Open boxes of this kind until as many are ready as will be wanted. In a full pool only the first gets room:
        the kind that was longest unused loses a box."""
        ready = self._ready.setdefault(kind, [])
        self._ready.move_to_end(kind)
        while len(ready) < min(self._size, self._ready_target(kind)):
            if self._count() >= self._size and (ready or not self._make_room()):
                return
            ready.append(asyncio.create_task(open_box()))

    def _ready_target(self, kind: str) -> int:
        """How many boxes of this kind should be ready."""
        return min(READY_PER_KIND, max(self._expected[kind], int(self._unexpected[kind] >= OFTEN)))

    def _count(self) -> int:
        return sum(map(len, self._ready.values()))

    def _make_room(self) -> bool:
        """Close one box of the kind that was longest unused; False when none is ready."""
        oldest = next((ready for ready in self._ready.values() if ready), None)
        if oldest:
            self.start_removal(_close_opening(oldest.pop()))
        return bool(oldest)

    async def warm(self, kind: str, open_box: OpenBox, count: int) -> None:
        """Wait until `count` boxes of this kind are ready."""
        ready = self._ready.setdefault(kind, [])
        ready += [asyncio.create_task(open_box()) for _ in range(count - len(ready))]
        await asyncio.gather(*ready)

    def start_removal(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let a removal run beside other work; `wait_for_removals` waits for it."""
        task = asyncio.create_task(work)
        self._removals.add(task)
        task.add_done_callback(self._removals.discard)
        return task

    async def drop(self, kinds: Iterable[str]) -> None:
        """Close the boxes of these kinds that are ready."""
        for opening in [opening for kind in list(kinds) for opening in self._ready.pop(kind, ())]:
            await _close_opening(opening)

    async def close(self) -> None:
        """Close every box that is ready or being opened, and wait for all removals."""
        for ready in self._ready.values():
            for opening in ready:
                opening.cancel()
        await self.drop(self._ready)
        await self.wait_for_removals()

    async def wait_for_removals(self) -> None:
        """Wait until every removal that was started has ended."""
        while self._removals:
            await asyncio.wait(self._removals)


async def _close_opening(opening: Awaitable[OpenedBox]) -> None:
    """Close a box once it is open; one that never opens needs no closing."""
    with suppress(asyncio.CancelledError, CrucibleError):
        stack, _ = await opening
        await stack.aclose()
