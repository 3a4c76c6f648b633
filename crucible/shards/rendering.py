"""A page of attempts to what is written of it: accepted, filtered, washed, rendered. It holds nothing but the ledger,
so that several processes can share the pages of one export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pyarrow as pa

from crucible import filters, parts
from crucible.errors import EngineMissing, Rejected
from crucible.exporting import Accepted, File, read_light
from crucible.judging.accepting import Case, Found, Intake
from crucible.judging.selecting import NOUN
from crucible.parts import Part
from crucible.shards import columns, lineage
from crucible.shards.manifest import Account, Request
from crucible.shards.redaction import Wash, suspect
from crucible.shards.schema import schema_of
from crucible.shards.writing import Rows, below
from crucible.store.blobs import Blobs
from crucible.store.ledger import Ledger
from crucible.store.lookup import items

LARGEST = 8 << 20
"""A portion ends after so many bytes of attempts; the rest of its page is another one."""


@dataclass
class Portion:
    """What came of the attempts of a page, or of its first ones."""

    rows: Rows
    sizes: list[int]
    """About how many bytes each row is."""
    lineage: pa.RecordBatch
    account: Account
    left_out: Counter[str]
    redacted: Counter[str]
    notes: bytes
    read: int
    rest: Sequence[int]
    """Numbers of the page that are still to be read."""


@dataclass
class Renderer:
    """Renders pages, one after the other."""

    ledger: Ledger
    request: Request
    part: Part
    rows: Callable[[Accepted], Iterator[Any]]
    wanted: filters.Filter
    choosing: bool
    """Whether anything was ever selected."""
    schema: pa.Schema | None
    last_task: str = ""
    _suspects: dict[str, bool] = field(default_factory=dict)
    """Whether the task in hand may hold something that must not leave, by its id."""

    def is_suspect(self, case: Case) -> bool:
        """Whether a task may hold something that must not leave. Attempts at one task come one after the other."""
        if case.task.id not in self._suspects:
            self._suspects = {case.task.id: suspect(case.body)}
        return self._suspects[case.task.id]

    def portion(self, numbers: Sequence[int]) -> Portion:
        """As much of these attempts as is taken on at once."""
        intake = Intake(self.ledger, self.choosing, self.choosing and not self.request.everything)
        batch = Batch(self)
        read = held = 0
        for some in intake.page(numbers):
            batch.take(some.found)
            read, held = read + some.read, held + sum(len(one.accepted.body) for one in some.found)
            if held >= LARGEST:
                numbers = numbers[list(numbers).index(some.last) + 1 :]
                break
        else:
            numbers = ()
        self.last_task = batch.account.last_task or self.last_task
        return Portion(
            rows=batch.rows if self.schema is None else columns.batch(batch.rows, self.schema),
            sizes=batch.sizes,
            lineage=columns.batch(batch.lineage, lineage.SCHEMA),
            account=batch.account,
            left_out=intake.left_out + batch.left_out,
            redacted=batch.wash.redacted,
            notes=b"".join(intake.notes),
            read=read,
            rest=numbers,
        )


@dataclass
class Batch:
    """One portion as it is gathered."""

    by: Renderer
    rows: list[Any] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    lineage: list[lineage.Line] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    account: Account = field(default_factory=Account)
    wash: Wash = field(default_factory=Wash)

    def take(self, some: list[Found]) -> None:
        """A handful: its rows, or a count of why they are left out."""
        wanted = [one for one in some if self.by.wanted(one.accepted)]
        self.left_out.update({"filtered": len(some) - len(wanted)} if len(wanted) < len(some) else {})
        for one in wanted:
            accepted = one.accepted
            if self.by.is_suspect(one.case):
                accepted = replace(accepted, task=self.wash.record(accepted.task, one.case.body))
            if suspect(accepted.body):
                body = self.wash.body(accepted.body)
                accepted = replace(accepted, body=body, light=read_light(body))
            self._one(accepted, len(accepted.body))

    def _one(self, one: Accepted, size: int) -> None:
        last = self.account.last_task or self.by.last_task
        try:
            again = self.by.part.per == "task" and one.task_id == last
            rows = [] if again else [_stays(row) for row in self.by.rows(one)]
        except Rejected as refused:
            self.left_out[refused.reason] += 1
            return
        self.rows.extend(rows)
        self.sizes.extend([size] * len(rows))
        self.account.enter(one, len(rows))
        self.lineage.extend(lineage.lines(one))


def renderer(ledger: Ledger, blobs: Blobs, request: Request) -> Renderer:
    """What renders for a request; all that can be wrong with the request is told here."""
    part = parts.find("exporter", request.format)
    return Renderer(
        ledger=ledger,
        request=request,
        part=part,
        rows=_called(part, blobs),
        wanted=filters.parse(request.where),
        choosing=next(items(ledger, NOUN), None) is not None,
        schema=schema_of(part.make) if part.shape == "parquet" else None,
    )


def _called(part: Part, blobs: Blobs) -> Callable[[Accepted], Iterator[Any]]:
    """The exporter with the services it needs."""
    services = {"blobs": blobs}
    for need in part.needs:
        if need not in services:
            raise EngineMissing(f"exporter '{part.name}' needs the service '{need}', which is not open")
    return partial(part.make, **{need: services[need] for need in part.needs})


def _stays(row: Any) -> Any:
    """A file must stay below its folder: a task may have been mined from anything."""
    if isinstance(row, File):
        below(row.path)
    return row
