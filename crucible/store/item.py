"""An item of the ledger, a claim on one, and how a record becomes a row: inline, or as a blob when it is large."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

from pydantic import Field
from sqlalchemy import Row

from crucible.mining import BlobStore
from crucible.record import Record

INLINE = 32 * 1024
"""A longer body is a blob."""

R = TypeVar("R", bound=Record)


class Item(Record):
    """A record in the ledger, by noun and id."""

    noun: str
    """raw, candidate, draft, task, attempt, trajectory, ..."""
    id: str = Field(min_length=1)
    body: str
    """The record as JSON."""
    pipeline: str = ""
    parent: str = ""
    """The id of the item it was made from."""
    digest: str = ""
    """The record's own digest, where it has one: what a verdict on it is about."""

    @classmethod
    def of(cls, noun: str, record: Record, *, pipeline: str = "", parent: str = "", id: str = "") -> Item:
        """A record that knows its own id, or is told one."""
        name = id or str(getattr(record, "id", ""))
        body = record.model_dump_json(exclude_defaults=record.terse)
        own = str(getattr(record, "digest", ""))
        return cls(noun=noun, id=name, body=body, pipeline=pipeline, parent=parent, digest=own)

    def record(self, kind: type[R]) -> R:
        return kind.model_validate_json(self.body)


class DroppedItem(NamedTuple):
    """An item that goes no further than a stage, and why."""

    item: Item
    stage: str
    reason: str
    detail: str = ""


Output = Item | DroppedItem
"""What a stage makes of an item."""


class Entry(NamedTuple):
    """As much of an item as a pass over very many of them reads."""

    number: int
    """In the order they came."""
    id: str
    digest: str
    body: str


class Claim(Record):
    """An item held for a stage until its lease ends."""

    stage: str
    item: Item
    sequence: int
    attempt: int
    """1 the first time."""


def to_columns(text: str, blobs: BlobStore) -> dict[str, str | None]:
    """The columns that hold a text: the text itself, or the digest of its blob."""
    data = text.encode()
    if len(data) <= INLINE:
        return {"body": text, "blob": None}
    return {"body": None, "blob": blobs.put(data)}


def row_text(row: Row[Any], blobs: BlobStore) -> str:
    """The JSON of an item's or a verdict's row, wherever it lies."""
    return column_text(row.body, row.blob, blobs)


def column_text(body: str, blob: str | None, blobs: BlobStore) -> str:
    """The text that a row's `body` or `blob` column holds."""
    return body if blob is None else blobs.get(blob).decode()


def to_row(item: Item, blobs: BlobStore) -> dict[str, Any]:
    return item.model_dump(exclude={"body"}) | to_columns(item.body, blobs)


def from_row(row: Row[Any], blobs: BlobStore) -> Item:
    return Item(
        noun=row.noun,
        id=row.id,
        body=row_text(row, blobs),
        pipeline=row.pipeline,
        parent=row.parent,
        digest=row.digest,
    )
