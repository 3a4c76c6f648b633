"""Raw material to draft tasks: a source fills the first queue, each of the pipeline's stages empties one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from crucible import parts
from crucible.errors import CrucibleError
from crucible.item import Claim, Item
from crucible.mining import Pipeline, Stage, Workshop
from crucible.record import Record
from crucible.run import Run
from crucible.stages import validate
from crucible.stages.drain import Step, Tally, drain
from crucible.stages.memory import LedgerMemory
from crucible.stages.worlds import stagehands

CHUNK = 100
"""Raw items written to the ledger at once."""


class Mined(Record):
    """What a mining run did."""

    collected: int
    """Raw items that were not there before."""
    stages: tuple[Tally, ...]


async def mine(
    run: Run, pipeline: str, origin: str | None = None, limit: int | None = None, source: str | None = None
) -> Mined:
    """Collect raw items and take them through every stage of the pipeline."""
    collected = await collect(run, pipeline, origin, limit, source)
    return Mined(collected=collected, stages=await refine(run, pipeline))


async def collect(
    run: Run, pipeline: str, origin: str | None = None, limit: int | None = None, source: str | None = None
) -> int:
    """Fill the first queue; returns how many raw items were not there before."""
    line: Pipeline = parts.find("pipeline", pipeline).make()
    read = parts.find("source", source or source_of(line, origin)).make
    new = 0
    async with workshop(run, line) as shop:
        with run.progress(f"{line.name}.collect", limit) as advance:
            async for chunk in _chunks(read(origin or line.samples[0], shop), limit):
                items = [Item.of("raw", record, pipeline=line.name) for record in chunk]
                new += run.ledger.put(items, _queue(line, 0))
                advance(len(items))
    return new


def source_of(line: Pipeline, origin: str | None) -> str:
    """The source that reads this origin: the pipeline knows its own, and its sample data."""
    return line.source_of(origin) if origin and line.source_of else line.source


async def refine(run: Run, pipeline: str) -> tuple[Tally, ...]:
    """Take what waits through every stage of the pipeline."""
    line: Pipeline = parts.find("pipeline", pipeline).make()
    async with workshop(run, line) as shop:
        return tuple([await drain(run, _step(line, number, shop)) for number in range(len(line.stages))])


@asynccontextmanager
async def workshop(run: Run, line: Pipeline) -> AsyncIterator[Workshop]:
    async with stagehands(run) as hands:
        sources = run.settings.sources
        if sources.cache == Path():
            sources = sources.model_copy(update={"cache": run.settings.home / "sources"})
        repair = run.settings.repair
        yield Workshop(
            await hands.world(line.world),
            run.blobs,
            run.settings.soundness.repeats,
            memory=LedgerMemory(run.ledger),
            repair=repair,
            teacher=await hands.teacher(repair.teacher) if repair.teacher else None,
            sources=sources,
        )


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
    try:
        async for item in items:
            if limit is not None and seen >= limit:
                break
            seen += 1
            chunk.append(item)
            if len(chunk) == CHUNK:
                yield chunk
                chunk = []
    except CrucibleError:  # a source that has to stop keeps what it gave
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk
