"""Writes the little TOML that a task needs: tables of texts, numbers and lists of texts."""

from __future__ import annotations

import json
from collections.abc import Mapping


def dumped(tables: Mapping[str, Mapping[str, object]]) -> str:
    """The tables, in order; the one without a name first."""
    return "\n".join(f"[{name}]\n{_lines(table)}" if name else _lines(table) for name, table in tables.items())


def _lines(table: Mapping[str, object]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in table.items())


def _value(value: object) -> str:
    """JSON's texts, numbers and lists are TOML's, but for the one control character that JSON leaves as it is."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
