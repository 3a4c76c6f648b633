"""What set-up leaves ready: the image that every other one is built on, in each world; services where asked for."""

from __future__ import annotations

from crucible import parts
from crucible.errors import ServiceMissing
from crucible.running.run import Run
from crucible.sandbox import World
from crucible.stages.services import OpenServices, open_services
from crucible.stages.worlds import visit_worlds


async def prepare(run: Run, services: bool = False) -> list[str]:
    """Fetch or make the base image of each world, in seconds when it is there; a line for each world, also for one
    that is missing. Raises what went wrong where no world is left."""

    async def prepare_world(name: str, world: World) -> list[str]:
        return [f"base image ready in '{name}': {await world.prepare()}"]

    lines, faults = await visit_worlds(run, (), prepare_world)
    if faults and len(faults) == len(lines):
        raise faults[0]
    return lines + (await _prepare_services(run) if services else [])


async def _prepare_services(run: Run) -> list[str]:
    """Open each service that is configured once, which makes its image; a line for each."""
    async with open_services(run) as opened:
        names = [part.name for part in parts.every("service") if opened.identity(part.name)]
        return [await _open_service(opened, name) for name in names]


async def _open_service(opened: OpenServices, name: str) -> str:
    """What came of opening a service: set-up goes on without it."""
    try:
        await opened.get(name)
    except ServiceMissing as missing:
        return missing.line()
    return f"service ready: {name}"
