"""Tasks that others wrote, to drafts of ours: read, queued, taken through the importer's stages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from itertools import islice

from crucible import parts
from crucible.importing import Import, Place
from crucible.item import Claim, Item
from crucible.mining import Pipeline, Stage, Workshop
from crucible.record import Record
from crucible.run import Run
from crucible.stages.drain import Step, Tally, drain
from crucible.stages.mine import workshop
from crucible.stages.rollout import QUEUE as ROLLOUT
from crucible.stages.rollout import work_queue
from crucible.stages.validate import QUEUE as VALIDATE

THEN = {"draft": VALIDATE, "attempt": ROLLOUT}
"""The queue that what was made waits in."""
CHUNK = 100
"""Items written to the ledger at once."""


class Imported(Record):
    """What an import did. Drafts wait for `crucible validate`."""

    read: int
    """Items that were found."""
    new: int
    """Items that were not there before."""
    stages: tuple[Tally, ...]


async def import_tasks(run: Run, format: str, place: Place, limit: int | None = None) -> Imported:
    """Read every item, then take what waits through the importer's stages. What could not be read before is looked
    at again: a commit may have been fetched since."""
    ours: Import = parts.find("importer", format).make()
    read = new = 0
    with run.progress(f"{format}.import", limit) as advance:
        found = islice(ours.read(place, run.blobs), limit)
        while chunk := await asyncio.to_thread(_some, found):
            items = [Item.of("raw", one, pipeline=format) for one in chunk]
            new += run.ledger.put(items, _queue(format, ours, 0))
            run.ledger.reopen(_queue(format, ours, 0), [item.id for item in items], ("dropped",))
            read += len(chunk)
            advance(len(chunk))
    async with workshop(run, Pipeline(format, source="", samples=(), world=ours.world)) as shop:
        tallies = [await drain(run, _step(format, ours, number, shop)) for number in range(len(ours.stages))]
    if ours.makes == "attempt":
        tallies.append(await work_queue(run))
    return Imported(read=read, new=new, stages=tuple(tallies))


def _some(found: Iterator[Record]) -> list[Record]:
    return list(islice(found, CHUNK))


def _step(format: str, ours: Import, number: int, shop: Workshop) -> Step:
    stage: Stage = ours.stages[number]
    last = number + 1 == len(ours.stages)
    noun = ours.makes if last else _queue(format, ours, number)

    async def work(claim: Claim) -> Sequence[Item]:
        made = await stage.work(claim.item.record(stage.takes), shop)
        return [Item.of(noun, record, pipeline=format, parent=claim.item.id) for record in made]

    return Step(_queue(format, ours, number), work, then=THEN[ours.makes] if last else _queue(format, ours, number + 1))


def _queue(format: str, ours: Import, number: int) -> str:
    return f"{format}.{ours.stages[number].name}"
