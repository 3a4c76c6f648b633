"""Boxes against the raw engine: `python -m benchmarks.boxes`.

Everything is measured in turns within one run, so that a busy machine slows all of it alike. What counts
are the ratios; the milliseconds are this machine's of this minute.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import docker
from rich.console import Console
from rich.table import Table

from crucible.sandbox import Env
from crucible.settings import DockerSettings, Settings
from crucible.store.blobs import Blobs
from envs.docker.world import DockerWorld
from envs.docker.world import docker as docker_world

Row = tuple[str, float, str, float, str]
"""What, its seconds, against what, that one's seconds, what is wanted of the ratio."""

ROUNDS = 15
"""How often a box is opened and removed."""
COMMANDS = 100
"""How many commands are run in one box."""
AT_ONCE = 16
"""How many boxes are opened at once."""


async def measure_seconds(action: Callable[[], Awaitable[object]]) -> float:
    """How long the action takes."""
    started = time.perf_counter()
    await action()
    return time.perf_counter() - started


async def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home), docker=DockerSettings(pool=0))
        async with docker_world(settings, Blobs(settings.blobs)) as world:
            assert isinstance(world, DockerWorld)  # it is asked to settle, which only this world does
            image = await world.prepare(Env())
            rows = [*await measure_boxes(world, image), *await measure_commands(world, image)]
            rows.append(await measure_many_at_once(world))
    print_table(rows)


async def measure_boxes(world: DockerWorld, image: str) -> list[Row]:
    """A box from nothing to nothing, and from warm to its first answer, against `docker run --rm`."""

    async def docker_run() -> None:
        await asyncio.to_thread(subprocess.run, ["docker", "run", "--rm", image, "true"], check=True)

    async def open_and_remove() -> None:
        async with world.open(Env()) as box:
            await box.exec("true")
        await world.settle()

    seconds: dict[str, list[float]] = {"plain": [], "whole": [], "warm": []}
    for _ in range(ROUNDS):
        seconds["plain"].append(await measure_seconds(docker_run))
        seconds["whole"].append(await measure_seconds(open_and_remove))
        await world.warm(Env(), 1)
        started = time.perf_counter()
        async with world.open(Env()) as box:
            await box.exec("true")
            seconds["warm"].append(time.perf_counter() - started)
        await world.settle()
    plain, whole, warm = (statistics.median(seconds[name]) for name in ("plain", "whole", "warm"))
    return [
        ("box: open, `true`, remove", whole, "docker run --rm", plain, "at most 1.2"),
        ("warm box: first answer", warm, "docker run --rm", plain, "under 0.25"),
    ]


async def measure_commands(world: DockerWorld, image: str) -> list[Row]:
    """A command in an open box against the SDK's exec."""
    client = docker.from_env()
    raw = client.containers.run(image, ["sleep", "600"], detach=True, init=True, network_mode="none")
    ours, theirs = [], []
    try:
        async with world.open(Env()) as box:
            for _ in range(COMMANDS):
                ours.append(await measure_seconds(lambda: box.exec("true")))
                theirs.append(await measure_seconds(lambda: asyncio.to_thread(raw.exec_run, "true")))
    finally:
        raw.remove(force=True)
        client.close()
    return [("command in an open box", statistics.median(ours), "SDK exec", statistics.median(theirs), "at most 0.2")]


async def measure_many_at_once(world: DockerWorld) -> Row:
    """Sixteen boxes at once against one after another."""

    async def use_box() -> None:
        async with world.open(Env()) as box:
            assert (await box.exec("echo here")).out == "here\n"

    async def in_turn() -> None:
        for _ in range(AT_ONCE):
            await use_box()
            await world.settle()

    async def together() -> None:
        await asyncio.gather(*(use_box() for _ in range(AT_ONCE)))
        await world.settle()

    at_once, one_by_one = await measure_seconds(together), await measure_seconds(in_turn)
    return (f"{AT_ONCE} boxes at once", at_once, "one by one", one_by_one, "no error")


def print_table(rows: list[Row]) -> None:
    table = Table("what", "ms", "against", "ms", "ratio", "wanted", box=None)
    for what, ours, against, theirs, wanted in rows:
        table.add_row(what, f"{ours * 1e3:.1f}", against, f"{theirs * 1e3:.1f}", f"{ours / theirs:.2f}", wanted)
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main())
