"""Rows of one shape, held by field. Arrow wants them so, and makes them into a shard in half the time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import itemgetter
from typing import Any, Generic, TypeVar, cast

import pyarrow as pa
import pyarrow.compute as pc

Row = TypeVar("Row")


@dataclass(frozen=True)
class Columns(Generic[Row]):
    """What `list[Row]` would hold. In a row of a shard it may stand wherever that list may."""

    fields: dict[str, Sequence[Any] | Columns[Any] | Lists[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.fields.values())))

    def __getitem__(self, part: slice) -> Columns[Row]:
        return Columns({name: values[part] for name, values in self.fields.items()})

    def __iter__(self) -> Iterator[Row]:
        return (cast(Row, dict(zip(self.fields, row, strict=True))) for row in zip(*self.fields.values(), strict=True))


@dataclass(frozen=True)
class Lists(Generic[Row]):
    """What `list[list[Row] | None]` would hold, where no list is empty."""

    lengths: Sequence[int]
    rows: Columns[Row]

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, part: slice) -> Lists[Row]:
        first, last, _ = part.indices(len(self))
        before, within = sum(self.lengths[:first]), sum(self.lengths[first:last])
        return Lists(self.lengths[first:last], self.rows[before : before + within])

    def __iter__(self) -> Iterator[list[Row] | None]:
        rows = iter(self.rows)
        return ([*islice(rows, length)] or None for length in self.lengths)


def to_record_batch(rows: Sequence[Any], schema: pa.Schema) -> pa.RecordBatch:
    """Rows as an Arrow record batch of this schema."""
    return pa.RecordBatch.from_arrays(
        [_make_array(list(map(itemgetter(field.name), rows)), field.type) for field in schema], schema=schema
    )


def _make_array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if not values or not isinstance(values[0], Columns):
        return pa.array(values, kind)
    return pa.ListArray.from_arrays(
        _list_offsets(pa.array([len(value) for value in values], pa.int32())),
        _join_arrays(values, kind.value_type),
        type=kind,
    )


def _join_arrays(pieces: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """One array of what several hold, one after the other."""
    if isinstance(pieces[0], Columns):
        fields = [_join_arrays([piece.fields[field.name] for piece in pieces], field.type) for field in kind]
        return pa.StructArray.from_arrays(fields, fields=list(kind))
    if isinstance(pieces[0], Lists):
        lengths = pa.array(list(chain.from_iterable(piece.lengths for piece in pieces)), pa.int32())
        rows = _join_arrays([piece.rows for piece in pieces], kind.value_type)
        return pa.ListArray.from_arrays(_list_offsets(lengths), rows, type=kind, mask=pc.equal(lengths, 0))
    return pa.array(list(chain.from_iterable(pieces)), kind)


def _list_offsets(lengths: pa.Array) -> pa.Array:
    return pa.concat_arrays([pa.array([0], pa.int32()), pc.cumulative_sum(lengths)])
