"""What nobody needs any more, outside the blob store."""

from __future__ import annotations

from crucible.model import Task
from crucible.running.run import Run
from crucible.running.scratch import sweep_scratch
from crucible.stages.services import open_services
from crucible.store.lookup import list_items


async def collect_garbage(run: Run, dry_run: bool = False) -> list[str]:
    """Remove boxes, networks and folders of dead processes, and images over budget; a line for each."""
    keep = [item.record(Task).env for item in list_items(run.ledger, "task")]
    async with open_services(run) as opened:
        world = await opened.world("docker")
        swept = await world.sweep(keep, dry_run)
    return swept + sweep_scratch(dry_run)
