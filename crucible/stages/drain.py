"""Works a stage's queue empty: claim, work, close. The one place where faults become fates.

Rejected                      the item is dropped, with its reason
RecipeError                   dropped: its image cannot be built
SandboxError, TeacherError,
Undecided                     infrastructure, or nobody can tell: tried again, in the end set aside as `error`
ServiceMissing                set aside as `error` at once, with the reason; items that do without it go on
Unpaid                        set aside as `unpaid` until the next run; items of others go on
EngineMissing, StoreError,
BudgetSpent, SettingsError    the run stops; claims go back, nothing is lost
anything else                 a bug of ours: set aside as `error`, logged with its traceback
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar

from pydantic import Field
from sqlalchemy import func, select

from crucible.errors import (
    BudgetSpent,
    EngineMissing,
    RecipeError,
    Rejected,
    SandboxError,
    ServiceMissing,
    SettingsError,
    StoreError,
    TeacherError,
    Undecided,
    UnknownPart,
    Unpaid,
)
from crucible.record import Record
from crucible.running import log as logs
from crucible.running.run import Run
from crucible.store.database import read_transaction
from crucible.store.item import Claim, Item, Output
from crucible.store.tables import work
from crucible.store.threads import in_thread

log = logging.getLogger(__name__)

QUICK = 0.25
"""A worker whose items together took less than so many seconds takes twice as many at once, up to `MANY`:
transactions are then shared by many items, and slow work is still shared out one by one."""
MANY = 64
BACKOFF = 5.0
"""Seconds before broken infrastructure is tried again; doubled each time."""
STOPPERS = (EngineMissing, StoreError, BudgetSpent, SettingsError, UnknownPart)


FATES = ("done", "dropped", "again", "errors", "unpaid")


@dataclass(frozen=True)
class StageWork:
    """One stage: its queue's name, what it does with one item, and the queue its outputs join."""

    queue: str
    work: Callable[[Claim], Awaitable[Sequence[Output]]]
    then: str = ""
    take_notes: Callable[[], Sequence[Item]] = tuple
    """What the stage learned since the last time it was asked: written before, or with, the next closing of a claim."""
    in_hand: int = 1
    """Items that are taken at once for each that may be worked on: where some wait for others, the stage itself sees to
    it that no more are worked on than there may be boxes."""


class Tally(Record):
    """What one pass over a queue did."""

    shown_above_zero: ClassVar[frozenset[str]] = frozenset(("again", "errors", "unpaid", "left"))
    stage: str
    done: int = 0
    dropped: int = 0
    again: int = 0
    errors: int = 0
    unpaid: int = 0
    """Items that wait for the next run, because the money of whom they need is spent."""
    left: int = 0
    """Items that still wait: more than none when a portion of the queue was asked for."""
    reasons: dict[str, int] = Field(default_factory=dict)
    """How many were dropped, by reason."""

    @property
    def worked(self) -> bool:
        """Whether there was anything to do."""
        return any((self.done, self.dropped, self.again, self.errors, self.unpaid, self.left))


@dataclass
class QueuePass:
    run: Run
    step: StageWork
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FATES, 0))
    reasons: Counter[str] = field(default_factory=Counter)
    held: dict[int, Claim] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)
    taken: int = 0
    advance: Callable[[int], None] = lambda more: None
    """Told how many more items have met their fate."""

    def count(self, fate: str, n: int = 1) -> None:
        """Count a fate; an item that is tried again is still under way."""
        self.counts[fate] += n
        if fate != "again":
            self.advance(n)

    def room(self, wanted: int) -> int:
        """How many more items may be begun."""
        portion = self.run.portion
        if portion is None:
            return wanted
        in_time = time.monotonic() - self.began < portion.seconds
        return min(wanted, portion.items - self.taken) if in_time else 0


async def drain(run: Run, step: StageWork, label: str = "") -> Tally:
    """Work until the queue is empty, with as many items at once as there may be boxes. What an earlier run set
    aside as an error gets another chance first: the machine may have been mended. So does what nobody could pay for,
    but not in a portion: its run has one purse, and says itself when there is money again."""
    if run.portion is None:
        await in_thread(run.ledger.reopen, step.queue, None, ("error", "unpaid"))
    elif run.portion.again:
        await in_thread(run.ledger.reopen, step.queue)
    lane = QueuePass(run, step)
    with run.progress(label or step.queue, await in_thread(count_waiting, run, step.queue)) as lane.advance:
        keeper = asyncio.create_task(_keep_leases(lane))
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(run.settings.limits.boxes * step.in_hand):
                    group.create_task(_worker(lane))
        except* STOPPERS as stopped:
            raise stopped.exceptions[0] from None
        else:
            await _keep_notes(lane)
        finally:
            keeper.cancel()
    left = await in_thread(count_waiting, run, step.queue) if run.portion else 0
    return Tally(stage=step.queue, **lane.counts, left=left, reasons=dict(lane.reasons.most_common()))


def count_waiting(run: Run, queue: str) -> int:
    """How many items wait in a queue."""
    query = select(func.count()).where(work.c.stage == queue, work.c.ready_at.is_not(None))
    with read_transaction(run.ledger.engine) as connection:
        return int(connection.scalar(query) or 0)


def seconds_until_ready(run: Run, queues: Sequence[str], states: Sequence[str] = ("todo", "claimed")) -> float | None:
    """How long until the next item of these queues can be had: not at all, a pause, or the rest of the lease of who
    holds it. None when nothing is left."""
    rows = (work.c.stage.in_(queues), work.c.state.in_(states), work.c.ready_at.is_not(None))
    with read_transaction(run.ledger.engine) as connection:
        seconds = connection.scalar(select(func.min(work.c.ready_at) - run.ledger.now()).where(*rows))
    return None if seconds is None else float(seconds)


async def _worker(lane: QueuePass) -> None:
    """Take some items after others; wait for those that are to be tried again soon."""
    ledger, lease = lane.run.ledger, lane.run.settings.limits.lease_seconds
    batch_size = 1
    while n := lane.room(batch_size):
        lane.taken += n  # before the claim is made: another worker asks for room meanwhile
        claims = await in_thread(ledger.claim, lane.step.queue, n, lease=lease)
        lane.taken -= n - len(claims)
        if claims:
            started = time.monotonic()
            await _work_on_claims(lane, claims)
            batch_size = min(batch_size * 2, MANY) if time.monotonic() - started < QUICK else 1
        elif (pause := await in_thread(seconds_until_ready, lane.run, [lane.step.queue], ("todo",))) is not None:
            await asyncio.sleep(min(1.0, max(0.05, pause)))
        else:
            return


async def _work_on_claims(lane: QueuePass, claims: Sequence[Claim]) -> None:
    """Work on items one by one; what is done is closed together, before anything slow and whatever happens."""
    lane.held.update((claim.sequence, claim) for claim in claims)
    done: list[tuple[Claim, Sequence[Output]]] = []
    started = time.monotonic()
    try:
        for claim in claims:
            outputs = await _work_on_claim(lane, claim)
            if outputs is not None:
                done.append((claim, outputs))
            if time.monotonic() - started >= QUICK:
                await _close_done(lane, done)
    finally:
        await _close_done(lane, done)
        for claim in claims:
            del lane.held[claim.sequence]


async def _close_done(lane: QueuePass, done: list[tuple[Claim, Sequence[Output]]]) -> None:
    """Cancelled half-way it is called again with the same claims: what is closed already stays as it is."""
    if done:
        await in_thread(lane.run.ledger.finish_all, list(done), lane.step.then, lane.step.take_notes())
    lane.count("done", len(done))
    done.clear()


async def _work_on_claim(lane: QueuePass, claim: Claim) -> Sequence[Output] | None:
    """Work on one item: its outputs, or nothing when its claim was closed or given back."""
    with logs.about_item(claim.item.id, lane.step.queue):
        try:
            return await lane.step.work(claim)
        except Rejected as drop:
            log.debug("dropped: %s", drop)
            await _drop(lane, claim, drop.reason, drop.detail)
        except RecipeError as broken:
            await _drop(lane, claim, "image_does_not_build", f"{broken}\n{broken.log[-2000:]}")
        except STOPPERS:
            raise
        except (SandboxError, TeacherError, Undecided) as fault:
            log.warning("infrastructure: %s", fault.line())
            lane.count("again" if await _try_again(lane, claim, fault.line()) else "errors")
        except ServiceMissing as missing:
            log.warning("set aside: %s", missing.line())
            await in_thread(lane.run.ledger.fail, claim, missing.line(), retries=0)
            lane.count("errors")
        except Unpaid as unpaid:
            await in_thread(lane.run.ledger.set_aside_unpaid, claim, unpaid.line())
            lane.count("unpaid")
            lane.taken -= 1  # nothing was done, so a portion has room for another
        except Exception as bug:
            log.exception("set aside")
            await in_thread(lane.run.ledger.fail, claim, f"{type(bug).__name__}: {bug}", retries=0)
            lane.count("errors")
        return None


async def _drop(lane: QueuePass, claim: Claim, reason: str, detail: str) -> None:
    await _keep_notes(lane)
    await in_thread(lane.run.ledger.drop, claim, reason, detail)
    lane.count("dropped")
    lane.reasons[reason] += 1


async def _keep_notes(lane: QueuePass) -> None:
    """Write down what was learned from an item that goes no further, before its claim is closed."""
    if notes := lane.step.take_notes():
        await in_thread(lane.run.ledger.put, notes)


async def _try_again(lane: QueuePass, claim: Claim, why: str) -> bool:
    retries = lane.run.settings.limits.retries
    return await in_thread(lane.run.ledger.fail, claim, why, retries=retries, backoff=BACKOFF)


async def _keep_leases(lane: QueuePass) -> None:
    """Long work keeps its claims for as long as this process lives."""
    lease = lane.run.settings.limits.lease_seconds
    while True:
        await asyncio.sleep(lease / 3)
        with suppress(StoreError):  # the workers meet it too, and tell
            await in_thread(lane.run.ledger.renew, list(lane.held.values()), lease=lease)
