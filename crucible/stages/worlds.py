"""Does something in every world that is registered or that a task names; one that is missing stops no other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from crucible import parts
from crucible.errors import CrucibleError, StoreError
from crucible.running.run import Run
from crucible.sandbox import World
from crucible.stages.services import open_services


async def visit_worlds(
    run: Run, named: Iterable[str], visit: Callable[[str, World], Awaitable[list[str]]]
) -> tuple[list[str], list[CrucibleError]]:
    """Open each world and visit it. Returns the lines that the visits gave, with one for each world that is missing
    or fails, and what went wrong there."""
    lines: list[str] = []
    faults: list[CrucibleError] = []
    async with open_services(run) as opened:
        for name in sorted({part.name for part in parts.every("env")} | set(named)):
            try:
                lines += await visit(name, await opened.world(name))
            except StoreError:
                raise
            except CrucibleError as fault:
                lines.append(f"the world '{name}' is left out: {fault.line()}")
                faults.append(fault)
    return lines, faults
