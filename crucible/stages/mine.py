"""Raw material to draft tasks: a source fills the first queue, each of the pipeline's stages empties one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from crucible import parts
from crucible.errors import CrucibleError
from crucible.mining import MiningContext, Pipeline
from crucible.record import Record
from crucible.running.run import Run
from crucible.stages import rollout, validate
from crucible.stages.drain import StageWork, Tally, drain
from crucible.stages.services import open_services
from crucible.store.item import Claim, Item
from crucible.store.memory import LedgerMemory

CHUNK = 100
"""Raw items written to the ledger at once."""
AFTER = {"draft": validate.QUEUE, "attempt": rollout.QUEUE}
"""The queue that what a pipeline makes waits in."""


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
    return Mined(collected=collected, stages=await refine(run, find_pipeline(pipeline)))


async def collect(
    run: Run, pipeline: str, origin: str | None = None, limit: int | None = None, source: str | None = None
) -> int:
    """Fill the first queue; returns how many raw items were not there before."""
    line = find_pipeline(pipeline)
    read = parts.find("source", source or source_of(line, origin)).make
    new = 0
    async with open_mining(run, line) as context:
        with run.progress(f"{line.name}.collect", limit) as advance:
            async for chunk in _collect_chunks(read(origin or line.samples[0], context), limit):
                items = [Item.of("raw", record, pipeline=line.name) for record in chunk]
                new += run.ledger.put(items, queue_name(line, 0))
                advance(len(items))
    return new


def find_pipeline(name: str) -> Pipeline:
    """The pipeline of that name."""
    line: Pipeline = parts.find("pipeline", name).make()
    return line


def source_of(line: Pipeline, origin: str | None) -> str:
    """The source that reads this origin: the pipeline knows its own, and its sample data."""
    return line.source_of(origin) if origin and line.source_of else line.source


async def refine(run: Run, line: Pipeline) -> tuple[Tally, ...]:
    """Take what waits through every stage of the pipeline."""
    async with open_mining(run, line) as context:
        return tuple([await drain(run, _stage_work(line, number, context)) for number in range(len(line.stages))])


@asynccontextmanager
async def open_mining(run: Run, line: Pipeline) -> AsyncIterator[MiningContext]:
    """What the pipeline's stages are handed, open as long as they work."""
    async with open_services(run) as opened:
        adviser = line.teacher_of(run.settings) if line.teacher_of else ""
        yield MiningContext(
            await opened.world(line.world),
            run.blobs,
            run.settings.soundness.repeats,
            memory=LedgerMemory(run.ledger),
            teacher=await opened.teacher(adviser) if adviser else None,
            settings=run.settings,
            services=opened,
        )


def _stage_work(line: Pipeline, number: int, context: MiningContext) -> StageWork:
    """The pipeline's stage as a step over the ledger; what the last one makes waits to be proven, or to be made."""
    stage = line.stages[number]
    last = number + 1 == len(line.stages)
    noun = line.makes if last else queue_name(line, number)

    async def work(claim: Claim) -> Sequence[Item]:
        records = await stage.work(claim.item.record(stage.takes), context)
        return [Item.of(noun, record, pipeline=line.name, parent=claim.item.id) for record in records]

    return StageWork(queue_name(line, number), work, then=AFTER[line.makes] if last else queue_name(line, number + 1))


def queue_name(line: Pipeline, number: int) -> str:
    """The queue of a pipeline's stage."""
    return f"{line.name}.{line.stages[number].name}"


async def _collect_chunks(items: AsyncIterator[Record], limit: int | None) -> AsyncIterator[list[Record]]:
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
