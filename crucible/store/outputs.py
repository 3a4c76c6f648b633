"""How outputs are written: items that go on are queued, dropped ones get their rejection; all may be repeated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, literal, null, select

from crucible.mining import BlobStore
from crucible.store.item import DroppedItem, Item, Output, to_row
from crucible.store.tables import insert_new, item, order_for_insert, rejection, work
from crucible.store.work_rows import Now, chunks, queue_query


@dataclass
class OutputRows:
    """Outputs as rows, in their order, their large bodies kept as blobs: made before the transaction begins."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    dropped: dict[tuple[str, str], DroppedItem] = field(default_factory=dict)
    """Those of the rows that go no further, by noun and id."""

    @classmethod
    def of(cls, outputs: Iterable[Output], blobs: BlobStore) -> OutputRows:
        made = cls()
        for output in outputs:
            item = output if isinstance(output, Item) else output.item
            made.rows.append(to_row(item, blobs))
            if isinstance(output, DroppedItem):
                made.dropped[item.noun, item.id] = output
        return made

    def going_on(self) -> list[dict[str, Any]]:
        """The rows that are not dropped."""
        if not self.dropped:
            return self.rows
        return [row for row in self.rows if (row["noun"], row["id"]) not in self.dropped]

    def add(self, other: OutputRows) -> None:
        self.rows += other.rows
        self.dropped |= other.dropped


def insert_outputs(connection: Connection, outputs: OutputRows, stage: str, now: Now) -> int:
    """Write the outputs, and queue those that go on for a stage; returns how many of these were not there before."""
    if not outputs.rows:
        return 0
    new = _insert_items(connection, outputs.rows)
    if stage:
        _queue_items(connection, outputs.going_on(), stage, now)
    for _, output in sorted(outputs.dropped.items()):
        _insert_rejection(connection, output)
    return len(new - outputs.dropped.keys())


def _insert_items(connection: Connection, rows: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """The nouns and ids of those that were not there before."""
    statement = insert_new(connection, item).on_conflict_do_nothing().returning(item.c.noun, item.c.id)
    return {(noun, id) for noun, id in connection.execute(statement, order_for_insert(connection, rows))}


def _queue_items(connection: Connection, rows: list[dict[str, Any]], stage: str, now: Now) -> None:
    ids: dict[str, list[str]] = {}
    for row in rows:
        ids.setdefault(row["noun"], []).append(row["id"])
    for noun, noun_ids in ids.items():
        for chunk in chunks(sorted(noun_ids)):  # in one order everywhere: see `order_for_insert`
            queued = queue_query(stage, now, noun, chunk)
            statement = insert_new(connection, work).from_select(queued.selected_columns.keys(), queued)
            connection.execute(statement.on_conflict_do_nothing())


def _insert_rejection(connection: Connection, output: DroppedItem) -> None:
    """Close an item at a stage with its reason, unless that was done before."""
    this = (item.c.noun == output.item.noun, item.c.id == output.item.id)
    closed = {"state": "dropped", "owner": "", "attempts": 1, "detail": output.reason}
    columns = [literal(value).label(name) for name, value in closed.items()]
    row = select(
        item.c.sequence.label("item"),
        literal(output.stage).label("stage"),
        item.c.pipeline,
        null().label("ready_at"),
        *columns,
    ).where(*this)
    reason = select(
        item.c.sequence.label("item"),
        literal(output.stage).label("stage"),
        literal(output.reason).label("reason"),
        literal(output.detail).label("detail"),
    ).where(*this)
    for table, query in ((work, row), (rejection, reason)):
        statement = insert_new(connection, table).from_select(query.selected_columns.keys(), query)
        connection.execute(statement.on_conflict_do_nothing())
