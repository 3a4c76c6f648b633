"""Raw material to draft tasks: a source fills the first queue, each of the pipeline's stages empties one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from crucible import parts
from crucible.collecting import Dropped
from crucible.errors import BudgetSpent, CrucibleError, Unpaid
from crucible.judging.yields import count_yields
from crucible.mining import MiningContext, Pipeline
from crucible.record import Record
from crucible.running.run import Run
from crucible.stages import rollout, validate
from crucible.stages.drain import StageWork, Tally, drain
from crucible.stages.services import open_services
from crucible.store.cursors import LedgerCursor
from crucible.store.item import Claim, DroppedItem, Item, Output
from crucible.store.memory import LedgerMemory
from crucible.store.threads import in_thread

CHUNK = 100
"""Raw items written to the ledger at once."""
AFTER = {"draft": validate.QUEUE, "attempt": rollout.QUEUE}
"""The queue that what a pipeline makes waits in."""
UNMADE = "unmade"
"""The noun of an output that a stage could not make."""


class Mined(Record):
    """What a mining run did."""

    collected: int
    """Raw items that were not there before."""
    stages: tuple[Tally, ...]


async def mine(
    run: Run,
    pipeline: str,
    origin: str | None = None,
    limit: int | None = None,
    source: str | None = None,
    anew: bool = False,
) -> Mined:
    """Collect raw items and take them through every stage of the pipeline."""
    collected = await collect(run, pipeline, origin, limit, source, anew)
    return Mined(collected=collected, stages=await refine(run, find_pipeline(pipeline)))


async def collect(
    run: Run,
    pipeline: str,
    origin: str | None = None,
    limit: int | None = None,
    source: str | None = None,
    anew: bool = False,
) -> int:
    """Fill the first queue with at most `limit` raw items that were not there before; returns how many these are. The
    source goes on where it stopped the last time, or is read `anew`."""
    line = find_pipeline(pipeline)
    place = origin or line.samples[0]
    part = parts.find("source", source or source_of(line, place))
    cursor = LedgerCursor(run.ledger, line.name, part.name, place, anew=anew)
    async with open_mining(run, line) as context:
        with run.progress(f"{line.name}.collect", limit) as advance:
            records = part.make(place, replace(context, cursor=cursor))
            return await Collection(run, line, cursor, advance).take(records, limit)


@dataclass
class Collection:
    """One pass over a source: what it yields is written in chunks, each together with how far the source had come."""

    run: Run
    line: Pipeline
    cursor: LedgerCursor
    advance: Callable[[int], None]
    new: int = 0

    async def take(self, records: AsyncIterator[Record], limit: int | None) -> int:
        """Write what is yielded until so many items are new; a source that has to stop keeps what it gave."""
        chunk: list[Record] = []
        try:
            async for record in records:
                chunk.append(record)
                if len(chunk) < self._room(limit):
                    continue
                await self._write(chunk)
                chunk = []
                if not self._room(limit):
                    return self.new
        except CrucibleError:
            await self._write(chunk)
            raise
        await self._write(chunk)
        return self.new

    def _room(self, limit: int | None) -> int:
        """How many items may be written at once: never more than may still be new."""
        return CHUNK if limit is None else min(CHUNK, limit - self.new)

    async def _write(self, chunk: Sequence[Record]) -> None:
        outputs = [_to_output(record, "raw", self.line, f"{self.line.name}.collect") for record in chunk]
        put, marks = self.run.ledger.put, self.cursor.take_marks()
        new = await in_thread(put, outputs, queue_name(self.line, 0), marks=marks)
        self.new += new
        self.advance(new)


def find_pipeline(name: str) -> Pipeline:
    """The pipeline of that name."""
    line: Pipeline = parts.find("pipeline", name).make()
    return line


def source_of(line: Pipeline, origin: str) -> str:
    """The source that reads this origin: the pipeline knows its own."""
    return line.source_of(origin) if line.source_of else line.source


async def refine(run: Run, line: Pipeline) -> tuple[Tally, ...]:
    """Take what waits through every stage of the pipeline. An item that needs a model whose money is spent is set
    aside; BudgetSpent tells so once all others are through, and in a portion the tallies do."""
    spent: list[BudgetSpent] = []
    async with open_mining(run, line) as context:
        steps = [_stage_work(line, number, context, spent) for number in range(len(line.stages))]
        tallies = tuple([await drain(run, step) for step in steps])
    if spent and run.portion is None:
        raise spent[0]
    return tallies


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
            yields=lambda: count_yields(run.ledger, line.name, opened.identity),
        )


def _stage_work(line: Pipeline, number: int, context: MiningContext, spent: list[BudgetSpent]) -> StageWork:
    """The pipeline's stage as a step over the ledger; what the last one makes waits to be proven, or to be made. Why an
    item cannot be paid for is added to `spent`."""
    stage = line.stages[number]
    last = number + 1 == len(line.stages)
    noun = line.makes if last else queue_name(line, number)

    queue, memory = queue_name(line, number), context.memory
    taken: TypeAdapter[Record] = TypeAdapter(stage.takes)  # type: ignore[arg-type]  # a union is not yet a type form

    async def work(claim: Claim) -> Sequence[Output]:
        try:
            records = await stage.work(taken.validate_json(claim.item.body), context)
        except BudgetSpent as fault:
            spent.append(fault)
            raise Unpaid(fault.line()) from None
        return [_to_output(record, _noun(record, noun), line, f"{queue}.outputs", claim.item.id) for record in records]

    then = AFTER[line.makes] if last else queue_name(line, number + 1)
    return StageWork(queue, work, then, memory.take_notes if isinstance(memory, LedgerMemory) else tuple)


def _noun(record: Record, noun: str) -> str:
    """What an output is called: one that could not be made is no draft."""
    return UNMADE if isinstance(record, Dropped) else noun


def queue_name(line: Pipeline, number: int) -> str:
    """The queue of a pipeline's stage."""
    return f"{line.name}.{line.stages[number].name}"


def _to_output(record: Record, noun: str, line: Pipeline, dropped_at: str, parent: str = "") -> Output:
    """A record of a source or a stage as the ledger keeps it; what is refused is an item with a rejection."""
    if not isinstance(record, Dropped):
        return Item.of(noun, record, pipeline=line.name, parent=parent)
    item = Item.of(noun, record.record, pipeline=line.name, parent=parent)
    return DroppedItem(item, dropped_at, record.reason, record.detail)
