"""Runs several uses of one browser at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

T = TypeVar("T")


async def run_together(jobs: Iterable[Awaitable[T]]) -> list[T]:
    """What each gives, in their order. Where one raises, that is raised once all have ended: none goes on with a box
    that is being closed."""
    results = await asyncio.gather(*jobs, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]
