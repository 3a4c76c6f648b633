"""The pages of one export, rendered in order: here, or by several processes where there is much to do."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from itertools import islice

from crucible.errors import CrucibleError
from crucible.judging.judges import identify_by
from crucible.judging.reading import split_pages
from crucible.running.run import open_run
from crucible.settings import Settings
from crucible.shards.manifest import Request
from crucible.shards.rendering import Portion, Renderer, make_renderer

MANY = 5_000
"""Attempts that make it worth starting other processes, which takes a second or two."""
FEWEST_WORKERS = 3
"""Fewer processes, beside the one that writes, are not started: two that share a core are slower than one."""
MOST_WORKERS = 8
"""More processes are not started: beyond this the writer is what all wait for."""

SELDOM = 1_000_000
"""Objects made between two collections: millions of records are made, and none of them in circles."""

_renderer_here: list[Renderer] = []
"""In a process that renders for another: what it renders with."""


def render_portions(settings: Settings, renderer: Renderer, numbers: Sequence[int]) -> Iterator[Portion]:
    """Everything that comes of these attempts, in their order, whoever has rendered it."""
    workers = min(len(os.sched_getaffinity(0)) - 1, MOST_WORKERS)
    part = renderer.part
    in_order = part.per == "task" or part.pairs or part.needs
    if len(numbers) < MANY or workers < FEWEST_WORKERS or in_order:
        yield from _render_here(renderer, numbers)
        yield from renderer.render_rest()
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _open, (settings, renderer.request)) as pool:
        try:
            yield from _render_in_order(pool, split_pages(numbers), workers + 2)
        except BrokenProcessPool:
            raise CrucibleError(
                "a process that rendered attempts was killed, perhaps for want of memory", "run the export again"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _render_here(renderer: Renderer, numbers: Sequence[int]) -> Iterator[Portion]:
    before = gc.get_threshold()
    gc.set_threshold(SELDOM, *before[1:])
    try:
        for page in split_pages(numbers):
            while page:
                yield (portion := renderer.render_portion(page))
                page = portion.rest
    finally:
        gc.set_threshold(*before)


def _render_in_order(pool: ProcessPoolExecutor, waiting: Iterator[Sequence[int]], ahead: int) -> Iterator[Portion]:
    """Never more than `ahead` pages are under way or kept waiting to be written."""
    under_way: deque[Future[Portion]] = deque(pool.submit(_render, list(page)) for page in islice(waiting, ahead))
    while under_way:
        yield (portion := under_way.popleft().result())
        if portion.rest:
            under_way.appendleft(pool.submit(_render, portion.rest))
        else:
            under_way.extend(pool.submit(_render, list(page)) for page in islice(waiting, 1))


def _open(settings: Settings, request: Request) -> None:
    """Runs first in a process that renders. Its stores stay open as long as it lives."""
    gc.set_threshold(SELDOM)
    run = ExitStack().enter_context(open_run(settings))
    _renderer_here.append(make_renderer(run.ledger, run.blobs, request, identify_by(settings), settings.reward.layers))


def _render(numbers: Sequence[int]) -> Portion:
    return _renderer_here[0].render_portion(numbers)
