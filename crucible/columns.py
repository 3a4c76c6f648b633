"""Rows of one shape, held by field. Arrow wants them so, and makes them into a shard in half the time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any, Generic, TypeVar, cast

import pyarrow as pa

Row = TypeVar("Row")


@dataclass(frozen=True)
class Columns(Generic[Row]):
    """What `list[Row]` would hold. In a row of a shard it may stand wherever that list may."""

    fields: dict[str, Sequence[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.fields.values())))

    def __getitem__(self, part: slice) -> Columns[Row]:
        return Columns({name: values[part] for name, values in self.fields.items()})

    def __iter__(self) -> Iterator[Row]:
        return (cast(Row, dict(zip(self.fields, row, strict=True))) for row in zip(*self.fields.values(), strict=True))


def batch(rows: Sequence[Any], schema: pa.Schema) -> pa.RecordBatch:
    """Rows as Arrow holds them."""
    return pa.RecordBatch.from_arrays(
        [_array(list(map(itemgetter(field.name), rows)), field.type) for field in schema], schema=schema
    )


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if not values or not isinstance(values[0], Columns):
        return pa.array(values, kind)
    ends = pa.array([0, *accumulate(map(len, values))], pa.int32())
    fields = [
        _array(list(chain.from_iterable(one.fields[field.name] for one in values)), field.type)
        for field in kind.value_type
    ]
    return pa.ListArray.from_arrays(ends, pa.StructArray.from_arrays(fields, fields=list(kind.value_type)), type=kind)
