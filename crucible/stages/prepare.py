"""What set-up leaves ready: in every world, the image that every other one is built on."""

from __future__ import annotations

from crucible.running.run import Run
from crucible.sandbox import World
from crucible.stages.worlds import visit_worlds


async def prepare(run: Run) -> list[str]:
    """Fetch or make the base image of each world, in seconds when it is there; a line for each world, also for one
    that is missing. Raises what went wrong where no world is left."""

    async def prepare_world(name: str, world: World) -> list[str]:
        return [f"base image ready in '{name}': {await world.prepare()}"]

    lines, faults = await visit_worlds(run, (), prepare_world)
    if faults and len(faults) == len(lines):
        raise faults[0]
    return lines
