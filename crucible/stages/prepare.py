"""What set-up leaves ready: the image that every other one is built on."""

from __future__ import annotations

from crucible.run import Run
from crucible.stages.worlds import stagehands


async def prepare(run: Run) -> str:
    """Fetch or make the base image; seconds when it is there."""
    async with stagehands(run) as hands:
        world = await hands.world("docker")
        return f"base image ready: {await world.prepare()}"
