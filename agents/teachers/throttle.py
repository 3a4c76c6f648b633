"""How many requests are in flight: more while answers begin promptly, fewer as soon as they do not.

Additive increase, multiplicative decrease, on the time to the first piece of an answer: that is where an
endpoint with a queue shows its load, and it does not depend on how long the answer is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

LATE_FACTOR = 2.5
"""An answer is late when it begins this many times later than the quickest ones lately."""
FORGETTING_FACTOR = 1.02
"""The quickest time is taken to have been this many times longer with each further answer, and so is forgotten."""


@dataclass
class Throttle:
    """Slots for requests; `limit` moves between one and `ceiling`."""

    ceiling: int
    limit: float = 0.0
    running: int = 0
    quickest: float = float("inf")
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    def __post_init__(self) -> None:
        self.limit = self.limit or min(4.0, float(self.ceiling))

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold the place of one request; waits until there is one."""
        async with self.changed:
            await self.changed.wait_for(lambda: self.running < int(self.limit))
            self.running += 1
        try:
            yield
        finally:
            self.running -= 1
            async with self.changed:
                self.changed.notify_all()

    def note_answer_began(self, seconds: float) -> None:
        """Adapt the limit to an answer that began after so many seconds."""
        self.quickest = min(self.quickest * FORGETTING_FACTOR, seconds)
        if seconds > LATE_FACTOR * self.quickest + 0.05:
            self._set_limit(self.limit * 0.8)
        else:
            self._set_limit(self.limit + 1 / self.limit)

    def note_failure(self) -> None:
        """Halve the limit: the endpoint said it is too much, or failed."""
        self._set_limit(self.limit / 2)

    def _set_limit(self, limit: float) -> None:
        self.limit = max(1.0, min(float(self.ceiling), limit))
