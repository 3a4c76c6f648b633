"""What mining stages learn about a source and tell each other: a repository's working recipe, found once."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol


class Memory(Protocol):
    """Texts by key. What is remembered first stays; whoever finds it out again is not believed."""

    def recall(self, key: str) -> str | None:
        """What is remembered, if anything."""

    def remember(self, key: str, value: str) -> None:
        """Keep it, unless something is kept already."""

    def alone(self, key: str) -> AbstractAsyncContextManager[None]:
        """Hold the key within this process, so that neighbours do not find out the same thing at once."""


class Locks:
    """One lock for each key that somebody holds or waits for."""

    def __init__(self) -> None:
        self._held: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._users: defaultdict[str, int] = defaultdict(int)

    @asynccontextmanager
    async def alone(self, key: str) -> AsyncIterator[None]:
        self._users[key] += 1
        try:
            async with self._held[key]:
                yield
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._held[key]


class Recollection(Locks):
    """Implements `Memory` for one process."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, str] = {}

    def recall(self, key: str) -> str | None:
        return self._known.get(key)

    def remember(self, key: str, value: str) -> None:
        self._known.setdefault(key, value)
