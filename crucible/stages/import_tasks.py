"""Tasks that others wrote, to drafts of ours: read, queued, taken through the importer's stages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice

from crucible import parts
from crucible.mining import Importer, ImportPlace
from crucible.record import Record
from crucible.running.run import Run
from crucible.stages.drain import Tally
from crucible.stages.mine import queue_name, refine
from crucible.stages.rollout import work_queue
from crucible.store.item import Item
from crucible.store.threads import in_thread

CHUNK = 100
"""Items written to the ledger at once."""


class Imported(Record):
    """What an import did. Drafts wait for `crucible validate`."""

    read: int
    """Items that were found."""
    new: int
    """Items that were not there before."""
    stages: tuple[Tally, ...]


async def import_tasks(run: Run, format: str, place: ImportPlace, limit: int | None = None) -> Imported:
    """Read every item, then take what waits through the importer's stages. What could not be read before is looked
    at again: a commit may have been fetched since."""
    importer: Importer = parts.find("importer", format).make()
    first_queue = queue_name(importer.pipeline, 0)
    read = new = 0
    with run.progress(f"{format}.import", limit) as advance:
        records = islice(importer.read(place, run.blobs), limit)
        while chunk := await asyncio.to_thread(_take_chunk, records):
            items = [Item.of("raw", record, pipeline=format) for record in chunk]
            new += await in_thread(run.ledger.put, items, first_queue)
            await in_thread(run.ledger.reopen, first_queue, [item.id for item in items], ("dropped",))
            read += len(chunk)
            advance(len(chunk))
    tallies = await refine(run, importer.pipeline)
    if importer.pipeline.makes == "attempt":
        tallies = (*tallies, await work_queue(run))
    return Imported(read=read, new=new, stages=tallies)


def _take_chunk(records: Iterator[Record]) -> list[Record]:
    return list(islice(records, CHUNK))
