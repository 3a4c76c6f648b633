"""Raw material to draft tasks: a source fills the first queue, each of the pipeline's stages empties one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from crucible import parts
from crucible.item import Claim, Item
from crucible.mining import Pipeline, Stage, Workshop
from crucible.record import Record
from crucible.run import Run
from crucible.stages import validate
from crucible.stages.drain import Step, Tally, drain
from crucible.stages.worlds import stagehands

CHUNK = 100
"""Raw items written to the ledger at once."""


class Mined(Record):
    """What a mining run did."""

    collected: int
    """Raw items that were not there before."""
    stages: tuple[Tally, ...]


async def mine(run: Run, pipeline: str, origin: str | None = None, limit: int | None = None) -> Mined:
    """Collect raw items and take them through every stage of the pipeline."""
    line: Pipeline = parts.find("pipeline", pipeline).make()
    async with stagehands(run) as hands:
        shop = Workshop(await hands.world(line.world), run.blobs, run.settings.soundness.repeats)
        collected = await _collect(run, line, origin or line.sample, shop, limit)
        tallies = [await drain(run, _step(line, number, shop)) for number in range(len(line.stages))]
    return Mined(collected=collected, stages=tuple(tallies))


async def _collect(run: Run, line: Pipeline, origin: str, shop: Workshop, limit: int | None) -> int:
    source = parts.find("source", line.source).make
    new = 0
    with run.progress(f"{line.name}.collect", limit) as advance:
        async for chunk in _chunks(source(origin, shop), limit):
            items = [Item.of("raw", record, pipeline=line.name) for record in chunk]
            new += run.ledger.put(items, _queue(line, 0))
            advance(len(items))
    return new


def _step(line: Pipeline, number: int, shop: Workshop) -> Step:
    """The pipeline's stage as a step over the ledger; the last one's outputs are drafts."""
    stage: Stage = line.stages[number]
    last = number + 1 == len(line.stages)
    noun = "draft" if last else _queue(line, number)

    async def work(claim: Claim) -> Sequence[Item]:
        made = await stage.work(claim.item.record(stage.takes), shop)
        return [Item.of(noun, record, pipeline=line.name, parent=claim.item.id) for record in made]

    return Step(_queue(line, number), work, then=validate.QUEUE if last else _queue(line, number + 1))


def _queue(line: Pipeline, number: int) -> str:
    return f"{line.name}.{line.stages[number].name}"


async def _chunks(items: AsyncIterator[Record], limit: int | None) -> AsyncIterator[list[Record]]:
    chunk: list[Record] = []
    seen = 0
    async for item in items:
        if limit is not None and seen >= limit:
            break
        seen += 1
        chunk.append(item)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
