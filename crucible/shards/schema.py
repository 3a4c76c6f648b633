"""The Arrow schema of a row that is a TypedDict: the annotation is the schema."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

import pyarrow as pa

from crucible.errors import SettingsError
from crucible.shards.columns import Columns

_PLAIN = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(), bytes: pa.binary()}


def schema_of(exporter: Callable[..., Any]) -> pa.Schema:
    """The schema of the rows that an exporter yields, from its `-> Iterator[Row]`."""
    inner = get_args(get_type_hints(exporter).get("return"))
    if len(inner) != 1 or not is_typeddict(inner[0]):
        raise SettingsError(
            f"the exporter {exporter.__module__}:{exporter.__qualname__} does not say what its rows are",
            "annotate it `-> Iterator[Row]`, where Row is a TypedDict",
        )
    return pa.schema(_row_fields(inner[0]))


def _row_fields(row: Any) -> list[pa.Field]:
    return [pa.field(name, _arrow_type(hint)) for name, hint in get_type_hints(row).items()]


def _arrow_type(hint: Any) -> pa.DataType:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if is_typeddict(hint):
        return pa.struct(_row_fields(hint))
    inner = [argument for argument in get_args(hint) if argument is not type(None)]
    if get_origin(hint) in (Union, types.UnionType) and len(inner) == 1:
        return _arrow_type(inner[0])
    if get_origin(hint) in (list, Columns):
        return pa.list_(_arrow_type(inner[0]))
    raise SettingsError(
        f"a row cannot hold {hint}", "str, int, float, bool, bytes, list, another TypedDict, or one of them | None"
    )
