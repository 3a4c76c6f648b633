"""What nobody needs any more, outside the blob store."""

from __future__ import annotations

from crucible.model import Task
from crucible.running.run import Run
from crucible.running.scratch import sweep_scratch
from crucible.sandbox import World
from crucible.stages.worlds import visit_worlds
from crucible.store.lookup import list_items


async def collect_garbage(run: Run, dry_run: bool = False) -> list[str]:
    """Remove boxes, networks and folders of dead processes, and images over budget, in every world; a line for each,
    and one for each world that is missing."""
    keep = [item.record(Task).env for item in list_items(run.ledger, "task")]

    async def sweep(name: str, world: World) -> list[str]:
        return await world.sweep([env for env in keep if env.name == name], dry_run)

    swept, _ = await visit_worlds(run, {env.name for env in keep}, sweep)
    return swept + sweep_scratch(dry_run)
