"""Accepted attempts to shards: filtered, washed, written beside their place and moved there whole."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
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
from crucible.washing import Wash


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
        with self.run.progress(f"export {self.request.format}") as advance:
            for found in intake.stream():
                self._one(found, writer, table)
                advance(1)
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

    def _one(self, found: Found, writer: Writer, table: ParquetFile) -> None:
        """One attempt: into the shards, or into the count of what was left out."""
        if not self.wanted(found.accepted):
            self.left_out["filtered"] += 1
            return
        again = self.part.per == "task" and found.accepted.task_id == self.account.last_task
        one = self._washed(found)
        try:
            rows = [] if again else list(self.rows(one))
            for row in rows:
                writer.add(row, len(found.bodies[1]))
        except Rejected as refused:
            self.left_out[refused.reason] += 1
            return
        self.account.enter(one, len(rows))
        for line in lineage.lines(one):
            table.add(line, 1000)

    def _washed(self, found: Found) -> Accepted:
        one = found.accepted
        task = self.wash.record(one.task, found.bodies[0])
        trajectory = self.wash.record(one.trajectory, found.bodies[1])
        return Accepted(one.task_id, one.trajectory_id, task, trajectory, one.verdicts, one.selection)


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
