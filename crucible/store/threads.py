"""Store calls off the event loop: a writer that waits for another holds up nobody else."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

CALLS_AT_ONCE = 4
"""Threads that wait for the stores; more calls than these queue up."""


async def in_thread(call: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Make a store call in a thread. Cancelled, it waits for the call's end before it gives way: a transaction is never
    left under way behind its run's back, where what it claims would be given back before it is claimed."""
    context = contextvars.copy_context()
    working = asyncio.get_running_loop().run_in_executor(_threads(), partial(context.run, call, *args, **named))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        while not working.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([working])
        working.exception()  # it is looked at, so that nobody warns of it; the cancellation is what is told
        raise


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(CALLS_AT_ONCE, thread_name_prefix="store")
