"""Rows to columns: several times faster than Arrow's own conversion of nested dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any

import pyarrow as pa


def batch(rows: Sequence[dict[str, Any]], schema: pa.Schema) -> pa.RecordBatch:
    """The rows as one batch."""
    return pa.RecordBatch.from_arrays(
        [column([row[field.name] for row in rows], field.type) for field in schema], schema=schema
    )


def column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """The values as one array; None is null."""
    if pa.types.is_list(kind):
        return _lists(values, kind)
    if pa.types.is_struct(kind):
        return _structs(values, kind)
    return pa.array(values, kind)


def _lists(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    ends = accumulate((len(one) if one is not None else 0 for one in values), initial=0)
    inner = column(list(chain.from_iterable(one for one in values if one)), kind.value_type)
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), inner, type=kind, mask=_nulls(values))


def _structs(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    there: list[dict[str, Any]] = [one if one is not None else {} for one in values]
    arrays = [column([one.get(field.name) for one in there], field.type) for field in kind]
    return pa.StructArray.from_arrays(arrays, fields=list(kind), mask=_nulls(values))


def _nulls(values: Sequence[Any]) -> pa.Array | None:
    return pa.array([one is None for one in values], pa.bool_()) if None in values else None
