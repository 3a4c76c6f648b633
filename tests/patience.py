"""How long tests wait: until a condition holds. A limit only ends what has hung, so that no busy machine meets it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

HUNG = 900.0
"""Seconds after which something is taken to have hung: far longer than a starved machine needs for anything here."""
POLL_SECONDS = 0.05

T = TypeVar("T")


def wait_until(condition: Callable[[], T], what: str = "") -> T:
    """The first value of the condition that is true."""
    until = time.monotonic() + HUNG
    while not (value := condition()):
        assert time.monotonic() < until, f"it has hung: {what or condition}"
        time.sleep(POLL_SECONDS)
    return value


async def wait_for(condition: Callable[[], T], what: str = "") -> T:
    """The same, while the event loop goes on; the condition itself runs in a thread."""
    return await asyncio.to_thread(wait_until, condition, what)


async def let_tasks_run() -> None:
    """Give every task that waits for nothing outside this process the time to come to its end."""
    for _ in range(200):
        await asyncio.sleep(0)
