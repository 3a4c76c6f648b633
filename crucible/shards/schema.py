"""The Arrow schema of a row that is a TypedDict, and what a dataset card declares of it: the annotation says both."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints, is_typeddict

import pyarrow as pa

from crucible.errors import SettingsError
from crucible.part_kinds import Part
from crucible.shards.attempt_columns import AttemptColumns
from crucible.shards.columns import Columns

_PLAIN = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(), bytes: pa.binary()}


Feature = dict[str, Any]
"""A column as a dataset card declares it."""


def schema_of(exporter: Callable[..., Any]) -> pa.Schema:
    """The schema of the rows that an exporter yields, from its `-> Iterator[Row]`."""
    return pa.schema(_row_fields(_row_type(exporter)))


def schema_of_part(exporter: Part) -> pa.Schema:
    """The schema of an exporter's shards: what it yields, and for an attempt the columns that people filter by."""
    own = schema_of(exporter.make)
    added = pa.schema(_row_fields(AttemptColumns)) if exporter.per == "trajectory" else pa.schema([])
    return pa.schema([*own, *(column for column in added if column.name not in own.names)])


def features_of_part(exporter: Part) -> list[Feature]:
    """The columns as the front matter of a dataset card declares them, each a mapping of name and type. Nothing where
    no column is JSON or a picture: `datasets` finds out by itself what the rest is."""
    row = _row_type(exporter.make)
    if not _declares(row):
        return []
    own = _row_features(row)
    added = _row_features(AttemptColumns) if exporter.per == "trajectory" else []
    names = {feature["name"] for feature in own}
    return [*own, *(feature for feature in added if feature["name"] not in names)]


def _row_type(exporter: Callable[..., Any]) -> Any:
    inner = get_args(get_type_hints(exporter).get("return"))
    if len(inner) != 1 or not is_typeddict(inner[0]):
        raise SettingsError(
            f"the exporter {exporter.__module__}:{exporter.__qualname__} does not say what its rows are",
            "annotate it `-> Iterator[Row]`, where Row is a TypedDict",
        )
    return inner[0]


def _row_fields(row: Any) -> list[pa.Field]:
    return [pa.field(name, _arrow_type(hint)) for name, hint in get_type_hints(row).items()]


def _row_features(row: Any) -> list[Feature]:
    return [{"name": name, **_feature(hint)} for name, hint in get_type_hints(row, include_extras=True).items()]


def _declares(hint: Any) -> bool:
    """Whether a hint is annotated, or holds one that is."""
    hints = get_type_hints(hint, include_extras=True).values() if is_typeddict(hint) else get_args(hint)
    return get_origin(hint) is Annotated or any(map(_declares, hints))


def _feature(hint: Any) -> Feature:
    """One column as a card declares it: `dtype`, `struct` or `list`."""
    if get_origin(hint) is Annotated:
        return {"dtype": hint.__metadata__[0]}
    if is_typeddict(hint):
        return {"struct": _row_features(hint)}
    inner = [argument for argument in get_args(hint) if argument is not type(None)]
    if get_origin(hint) in (list, Columns):
        element = _feature(inner[0])
        return {"list": element.get("struct", element.get("dtype", element))}
    return _feature(inner[0]) if inner else {"dtype": str(_PLAIN[hint]).replace("double", "float64")}


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
