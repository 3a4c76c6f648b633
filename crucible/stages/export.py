"""Accepted attempts to shards: filtered, washed, written beside their place and moved there whole."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from crucible import filters, parts
from crucible.accepting import Found, Intake
from crucible.errors import EngineMissing, Rejected
from crucible.exporting import Accepted
from crucible.lookup import items
from crucible.record import Record
from crucible.run import Run
from crucible.selecting import NOUN
from crucible.shards import card, lineage, manifest
from crucible.shards.manifest import Account, Counts, Manifest, Request
from crucible.shards.place import place
from crucible.shards.schema import schema_of
from crucible.shards.writing import Folder, ParquetFile, Shards, Writer, told
from crucible.washing import Wash, suspects

HANDFUL, HANDFUL_BYTES = 50, 8 << 20
"""So many attempts are washed at once."""
SELDOM = 1_000_000
"""Objects made between two collections."""
LINE = 1000
"""About how many bytes a line of lineage is."""


class Exported(Record):
    """What was written."""

    out: str
    format: str
    shards: int
    counts: Counts


async def export(run: Run, request: Request, out: Path) -> Exported:
    """Write the shards that were asked for. All that can be wrong with the request is told before anything is read."""
    part = parts.find("exporter", request.format)
    work = Work(run, request, part, filters.parse(request.where), _called(run, part))
    with place(out) as folder:
        made = await work.write(folder, _writer(part, folder))
    return Exported(out=str(out), format=request.format, shards=len(made.shards), counts=made.counts)


@dataclass
class Work:
    """One export under way."""

    run: Run
    request: Request
    part: parts.Part
    wanted: filters.Filter
    rows: Callable[[Accepted], Iterator[Any]]
    wash: Wash = field(default_factory=Wash)
    account: Account = field(default_factory=Account)
    left_out: Counter[str] = field(default_factory=Counter)

    async def write(self, folder: Path, writer: Writer) -> Manifest:
        """All of it, row by row; the manifest and the card last."""
        selected = not self.request.everything and next(items(self.run.ledger, NOUN), None) is not None
        intake = Intake(self.run.ledger, selected)
        table = ParquetFile(folder / lineage.NAME, schema_of(lineage.lines))
        with self.run.progress(f"export {self.request.format}") as advance, seldom_collecting():
            for some in handfuls(intake.stream()):
                for one in self._washed(some):
                    self._one(one, writer, table)
                advance(len(some))
                await asyncio.sleep(0)  # an interrupt is heard here
        shards = writer.close()
        table.close()
        made = Manifest(
            request=self.request,
            exporter_version=self.part.version,
            ledger_snapshot=intake.snapshot,
            counts=self.account.counts(intake.left_out + self.left_out, self.wash.redacted),
            verifiers=self.account.verifiers(),
            pipelines=self.account.pipelines(),
            policies=dict(sorted(self.account.policies.items())),
            shards=tuple(shards),
            lineage=told(folder, folder / lineage.NAME, table.rows),
        )
        (folder / manifest.NAME).write_text(made.model_dump_json(indent=2) + "\n", "utf-8")
        (folder / card.NAME).write_text(card.card(made, self.part), "utf-8")
        return made

    def _washed(self, some: list[Found]) -> Iterator[tuple[Accepted, int]]:
        """Those that are wanted, without what must not leave, and how large each is."""
        wanted = [one for one in some if self.wanted(one.accepted)]
        self.left_out.update({"filtered": len(some) - len(wanted)} if len(wanted) < len(some) else {})
        dirty = suspects([body for one in wanted for body in one.bodies])
        for one, task_dirty, dirty_too in zip(wanted, dirty[::2], dirty[1::2], strict=True):
            found, (task_body, body) = one.accepted, one.bodies
            task = self.wash.record(found.task, task_body) if task_dirty else found.task
            trajectory = self.wash.record(found.trajectory, body) if dirty_too else found.trajectory
            yield replace(found, task=task, trajectory=trajectory), len(body)

    def _one(self, washed: tuple[Accepted, int], writer: Writer, table: ParquetFile) -> None:
        """One attempt: into the shards, or into the count of what was left out."""
        one, size = washed
        again = self.part.per == "task" and one.task_id == self.account.last_task
        try:
            rows = [] if again else list(self.rows(one))
            for row in rows:
                writer.add(row, size)
        except Rejected as refused:
            self.left_out[refused.reason] += 1
            return
        self.account.enter(one, len(rows))
        for line in lineage.lines(one):
            table.add(line, LINE)


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Millions of records are made and none of them in circles: looking for circles would take half the time."""
    before = gc.get_threshold()
    gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def handfuls(found: Iterator[Found]) -> Iterator[list[Found]]:
    """A few at a time, fewer when they are large."""
    some: list[Found] = []
    size = 0
    for one in found:
        some.append(one)
        size += len(one.bodies[1])
        if len(some) >= HANDFUL or size >= HANDFUL_BYTES:
            yield some
            some, size = [], 0
    yield some


def _called(run: Run, part: parts.Part) -> Callable[[Accepted], Iterator[Any]]:
    """The exporter with the services it needs."""
    services = {"blobs": run.blobs}
    for need in part.needs:
        if need not in services:
            raise EngineMissing(f"exporter '{part.name}' needs the service '{need}', which is not open")
    return partial(part.make, **{need: services[need] for need in part.needs})


def _writer(part: parts.Part, folder: Path) -> Writer:
    if part.shape == "folder":
        return Folder(folder)
    return Shards(folder, schema_of(part.make) if part.shape == "parquet" else None)
