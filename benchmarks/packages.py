"""The package cache, cold and warm: `python -m benchmarks.packages [IMAGES]`.

The same images, each with the same packages and a first command of its own so that they share no layer, are built
directly, through an empty cache, and through the cache that this has filled. What counts are the ratios; the seconds
are this machine's of this minute.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from crucible.sandbox import Env, Recipe
from crucible.settings import DockerSettings, Settings
from crucible.store.blobs import Blobs
from envs.docker.world import docker as docker_world
from envs.engine import open_engine
from envs.packages.settings import PackageSettings

IMAGES = 3
"""How many images are built each time."""
SYSTEM_PACKAGES = "apt-get update -q && apt-get install -yq --no-install-recommends jq less tree"
PYTHON_PACKAGES = "python3 -m venv /v && /v/bin/pip install -q pytest requests"


async def main() -> None:
    images = int(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    volume = f"crucible-benchmark-{secrets.token_hex(4)}"
    try:
        direct = await measure_builds(images, PackageSettings())
        cold = await measure_builds(images, PackageSettings(cache=True, volume=volume))
        warm = await measure_builds(images, PackageSettings(cache=True, volume=volume))
    finally:
        await remove_volume(volume)
    table = Table("what", "s", "against", "s", "ratio", box=None)
    for what, ours, against, theirs in (
        ("cold cache", cold, "directly", direct),
        ("warm cache", warm, "directly", direct),
        ("warm cache", warm, "cold cache", cold),
    ):
        table.add_row(f"{images} images, {what}", f"{ours:.1f}", against, f"{theirs:.1f}", f"{ours / theirs:.2f}")
    Console().print(table)


async def measure_builds(images: int, chosen: PackageSettings) -> float:
    """Seconds that the images take one after another, once the network and the cache are there."""
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home), docker=DockerSettings(pool=0), sections={"packages": chosen})
        async with docker_world(settings, Blobs(settings.blobs)) as world:
            base = await world.prepare()
            names = [await world.prepare(Env(recipe=Recipe(base=base, commands=(f": {secrets.token_hex(8)}",))))]
            started = time.perf_counter()
            for _ in range(images):
                commands = (f": {secrets.token_hex(8)}", SYSTEM_PACKAGES, PYTHON_PACKAGES)
                names.append(await world.prepare(Env(recipe=Recipe(base=base, commands=commands))))
            seconds = time.perf_counter() - started
    async with open_engine() as engine:
        for name in names:
            await engine.call(engine.api.remove_image, name, force=True)
    return seconds


async def remove_volume(volume: str) -> None:
    async with open_engine() as engine:
        await engine.call(engine.api.remove_volume, volume, force=True)


if __name__ == "__main__":
    asyncio.run(main())
