"""Proofs of terminal drafts a minute, beside the bare engine: `python -m benchmarks.proofs`.

Drafts are mined from the sample, which is timed apart, and their images built before the clock starts. A proof plays
and grades in boxes of its own; the bare engine starts and removes as many containers of the same image, as many at
once, and does nothing in them. Variants of a draft share its proof, and are counted apart.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from crucible import parts
from crucible.proving import NOUN, Proof
from crucible.running.run import open_run
from crucible.sandbox import Env
from crucible.settings import Settings
from crucible.stages.mine import mine
from crucible.stages.validate import validate
from crucible.store.blobs import Blobs
from crucible.store.lookup import list_items
from envs.docker.box import Box
from envs.docker.world import docker as docker_world

WANTED = 20
"""Drafts proven a minute."""
SAMPLE = "sample_data/terminal"
THREADS = 25
"""How many threads of the sample are mined: about 15 become drafts."""
AT_ONCE = 2


@contextmanager
def count_boxes() -> Iterator[list[str]]:
    """Within the block, collect the names of the containers that are made."""
    made: list[str] = []
    plain = Box.__init__

    def counted(self: Box, engine: Any, container: str, *rest: Any) -> None:
        made.append(container)
        plain(self, engine, container, *rest)

    Box.__init__ = counted  # type: ignore[method-assign, assignment]
    try:
        yield made
    finally:
        Box.__init__ = plain  # type: ignore[method-assign]


async def run_bare(image: str, times: int) -> float:
    """Seconds in which the engine starts and removes so many containers."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def run_one() -> None:
        async with slots:
            await asyncio.to_thread(subprocess.run, ["docker", "run", "--rm", image, "true"], check=True)

    started = time.perf_counter()
    await asyncio.gather(*(run_one() for _ in range(times)))
    return time.perf_counter() - started


async def main(origin: str, threads: int) -> None:
    parts.find("env", "docker")
    with tempfile.TemporaryDirectory() as name:
        settings = Settings(home=Path(name))
        with open_run(settings) as run:
            started = time.perf_counter()
            await mine(run, "terminal", origin, threads)
            mining = time.perf_counter() - started
            with count_boxes() as made:
                started = time.perf_counter()
                await validate(run)
                seconds = time.perf_counter() - started
            proofs = [item.record(Proof) for item in list_items(run.ledger, NOUN)]
        async with docker_world(settings, Blobs(settings.blobs)) as world:
            bare = await run_bare(await world.prepare(Env()), len(made))
    played = sum(not proof.shared_from for proof in proofs)
    print(f"{threads} threads mined in {mining:.1f} s")
    print_table(played, len(proofs), len(made), seconds, bare)


def print_table(played: int, tasks: int, boxes: int, seconds: float, bare: float) -> None:
    """A row for what is held, and one for what the time went into."""
    minute = 60 * played / seconds
    verdict = f"at least {WANTED}" if minute >= WANTED else f"NOT {WANTED}"
    table = Table("what", "", "against", "", "ratio", "wanted", box=None)
    table.add_row(
        "drafts proven a minute", f"{minute:.0f}", "with their variants", f"{60 * tasks / seconds:.0f}", "", verdict
    )
    table.add_row(
        f"{played} proofs, {boxes} boxes",
        f"{seconds:.1f} s",
        "as many bare containers",
        f"{bare:.1f} s",
        f"{seconds / bare:.2f}",
        "",
    )
    Console().print(table)


if __name__ == "__main__":
    given = sys.argv[1:]
    asyncio.run(main(given[0] if given else SAMPLE, int(given[1]) if len(given) > 1 else THREADS))
