"""Rows as compact JSON for the page's script: a column that repeats itself is a list of values and places in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from markupsafe import Markup

from crucible.report.clip import clip_name


def pack_rows(rows: Sequence[Any], kind: type[Any]) -> dict[str, Any]:
    """The columns of a list of dataclass rows."""
    names = [field.name for field in fields(kind)]
    return {
        "n": len(rows),
        "columns": {name: _pack_column([_plain_value(getattr(row, name)) for row in rows]) for name in names},
    }


def embed_json(value: Any) -> Markup:
    """JSON that may stand within a script element: no character in it can end the element or begin another."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)


def _plain_value(value: Any) -> Any:
    return clip_name(value) if isinstance(value, str) else value


def _pack_column(values: list[Any]) -> dict[str, Any]:
    distinct = list(dict.fromkeys(values))
    if not values or isinstance(values[0], int | float) or len(distinct) * 2 > len(values):
        return {"list": values}
    places = {value: place for place, value in enumerate(distinct)}
    return {"values": distinct, "places": [places[value] for value in values]}
