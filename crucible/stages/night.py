"""A night's work: every enabled pipeline from raw items to verdicts, then a selection, shards and a report.

The composition is the same with and without a scheduler: what differs is `do`, which is handed each piece of
it under a name. A piece is a chunk of a stage, minutes of work; the ledger knows what is left, so that a piece
that is repeated, or a night that is started again, does only what is missing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from crucible import parts
from crucible.errors import BudgetSpent, NothingToExport, SettingsError
from crucible.record import Record
from crucible.report import write_report
from crucible.running.run import Portion, Run
from crucible.settings import NightlyPipeline
from crucible.shards.manifest import Request
from crucible.stages.drain import Tally, seconds_until_ready
from crucible.stages.export import Exported, export
from crucible.stages.mine import collect, find_pipeline, queue_name, refine
from crucible.stages.rollout import QUEUE as ATTEMPTS
from crucible.stages.rollout import WantedAttempts, plan_attempts, work_queue
from crucible.stages.select import select
from crucible.stages.services import open_services
from crucible.stages.validate import validate
from crucible.stages.verify import verify
from crucible.store.funnel import Funnel, count_funnel
from crucible.store.nights import end_night, join_night
from crucible.store.threads import in_thread

log = logging.getLogger(__name__)

R = TypeVar("R")
Piece = Callable[[], Awaitable[R]]
Do = Callable[[str, Piece[R]], Awaitable[R]]
"""Does one piece under a name: plainly, or as a scheduler's task."""


PAUSE = 0.5
"""Seconds between two looks at what others hold."""


class Night(Record):
    """What a night came to: its funnel, its export, its report, and the limits that ended something early."""

    funnel: Funnel
    exported: Exported | None = None
    report: str = ""
    stopped: tuple[str, ...] = ()
    """Limits that ended something early."""


async def run_piece(name: str, piece: Piece[R]) -> R:
    """Do one piece of a night without a scheduler: log its name and await it."""
    log.info("%s", name)
    return await piece()


async def night(run: Run, do: Do[object] = run_piece) -> Night:
    """The whole night. Limits end a stage early and are told; what there is by then is still handed over."""
    pipelines = run.settings.nightly.pipelines
    if not pipelines:
        raise SettingsError("no pipeline is enabled", "set nightly.pipelines, for example swe=PATH_TO_CLONE")
    seconds, limit = 60 * run.settings.nightly.minutes, run.settings.teacher.budget_usd
    purse = await in_thread(join_night, run.ledger, seconds, limit)
    paid = replace(run, purse=purse)
    async with open_services(paid) as services:
        running = NightRun(replace(paid, services=services), do)
        for pipeline in pipelines:
            await running.mine(pipeline)
        await running.judge()
        made = await running.hand_over()
    await in_thread(end_night, run.ledger, purse.number)
    return made


async def run_pipeline(run: Run, name: str, origin: str = "", do: Do[object] = run_piece) -> Night:
    """A night of one pipeline: mined, proven, attempted and judged, and nothing exported."""
    async with open_services(run) as services:
        running = NightRun(replace(run, services=services), do)
        await running.mine(NightlyPipeline(name=name, origin=origin))
        await running.judge()
    return Night(funnel=count_funnel(run.ledger), stopped=tuple(running.stopped))


async def run_hand_over(run: Run, do: Do[object] = run_piece) -> Night:
    """Only the end of a night: selection, shards, report."""
    return await NightRun(run, do).hand_over()


class NightRun:
    """One night under way: its clock, and what it had to leave."""

    def __init__(self, run: Run, do: Do[object]) -> None:
        self.run = run
        self.do = do
        self.ends = time.monotonic() + 60 * run.settings.nightly.minutes
        self.stopped: list[str] = []

    async def mine(self, pipeline: NightlyPipeline) -> None:
        """Take one pipeline's raw items to drafts."""
        name = parts.find("pipeline", pipeline.name).name
        if self._is_over(f"{name}: collect"):
            return
        await self.do(
            f"{name}: collect",
            lambda: collect(self.run, pipeline.name, pipeline.origin or None, pipeline.limit or None),
        )
        line = find_pipeline(pipeline.name)
        for queue in (queue_name(line, number) for number in range(len(line.stages))):
            await in_thread(self.run.ledger.reopen, queue, None, ("unpaid",))
        unpaid = await self._work_in_chunks(f"{name}: mine", lambda run: refine(run, line))
        if unpaid:
            self.stopped.append(f"{name}: mine: {unpaid} items wait for money")

    async def judge(self) -> None:
        """Take all drafts to verdicts: proof, attempts, judging."""
        settings = self.run.settings.nightly
        await self._work_in_chunks("validate", lambda run: _as_tuple(validate(run)))
        await in_thread(self.run.ledger.reopen, ATTEMPTS, None, ("unpaid",))
        for teacher in settings.teachers:
            await self._attempt(teacher)
        self.stopped += [f"rollout: {teacher}: {why}" for teacher, why in self.run.purse.refused.items()]
        await self._work_in_chunks("verify", lambda run: _as_tuple(verify(run)))

    async def _attempt(self, teacher: str) -> None:
        """Queue a teacher's attempts once, then make them chunk by chunk."""
        name, samples = f"rollout: {teacher}", self.run.settings.nightly.samples
        if self._is_over(name):
            return
        wanted = WantedAttempts(teacher=teacher, samples=samples)
        await self.do(f"{name}: plan", lambda: plan_attempts(self.run, wanted))
        await self._work_in_chunks(name, lambda run: _as_tuple(work_queue(run)))

    async def hand_over(self) -> Night:
        """Selection, shards, report: of all there is, each time anew."""
        run, settings = self.run, self.run.settings.nightly
        await self.do("select", lambda: select(run, settings.keep, authored=settings.authored))
        exported_shards: object = None
        if settings.format:
            out = Path(settings.out) if settings.out else run.settings.home / "shards"
            exported_shards = await self.do("export", lambda: self._export(out))
        page = await self.do("report", self._report)
        exported = exported_shards if isinstance(exported_shards, Exported) else None
        return Night(funnel=count_funnel(run.ledger), exported=exported, report=str(page), stopped=tuple(self.stopped))

    async def _export(self, out: Path) -> Exported | None:
        """The shards; None after a night that leaves nothing to export."""
        settings = self.run.settings.nightly
        request = Request(format=settings.format, where=settings.where, authored=settings.authored)
        try:
            return await export(self.run, request, out)
        except NothingToExport as nothing:
            self.run.console.print(nothing.line())
            return None

    async def _report(self) -> str:
        return str(write_report(self.run, self.run.settings.home / "report").absolute())

    async def _work_in_chunks(self, name: str, stage: Callable[[Run], Awaitable[tuple[Tally, ...]]]) -> int:
        """Work a stage in chunks until nothing is left, or the night is over; returns how many items wait for money."""
        settings = self.run.settings.nightly
        number, unpaid, left = 0, 0, [name]
        while left and not self._is_over(name):
            number += 1
            seconds = min(60 * settings.chunk_minutes, self.ends - time.monotonic())
            chunk = replace(self.run, portion=Portion(settings.chunk_items, seconds, again=number == 1))
            tallies = await self.do(f"{name} {number}", lambda chunk=chunk: self._stop_at_budget(name, stage(chunk)))  # type: ignore[misc]
            counted: tuple[Tally, ...] = tallies if isinstance(tallies, tuple) else ()
            unpaid += sum(tally.unpaid for tally in counted)
            left = [tally.stage for tally in counted if tally.left]
            await self._wait_until_free(left)
        return unpaid

    async def _wait_until_free(self, queues: list[str]) -> None:
        """While others hold all that is left: they finish it, or die, or their leases end."""
        while time.monotonic() < self.ends:
            seconds = await in_thread(seconds_until_ready, self.run, queues)
            if seconds is None or seconds <= 0:
                return
            await asyncio.sleep(min(PAUSE, seconds))
            await in_thread(self.run.ledger.release)

    async def _stop_at_budget(self, name: str, chunk: Awaitable[tuple[Tally, ...]]) -> tuple[Tally, ...]:
        """A chunk, until the money is spent that a stage cannot do without: what is done by then goes on."""
        try:
            return await chunk
        except BudgetSpent as spent:
            self.stopped.append(f"{name}: {spent.line()}")
            return ()

    def _is_over(self, name: str) -> bool:
        if time.monotonic() < self.ends:
            return False
        self.stopped.append(f"{name}: the night's minutes are over")
        return True


async def _as_tuple(tally: Awaitable[Tally]) -> tuple[Tally, ...]:
    return (await tally,)
