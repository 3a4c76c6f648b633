"""What set-up leaves ready: the image that every other one is built on."""

from __future__ import annotations

from crucible.running.run import Run
from crucible.stages.services import open_services


async def prepare(run: Run) -> str:
    """Fetch or make the base image; seconds when it is there."""
    async with open_services(run) as opened:
        world = await opened.world("docker")
        return f"base image ready: {await world.prepare()}"
