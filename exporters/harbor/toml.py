"""Writes the little TOML that a task needs: tables of texts, numbers and lists of texts."""

from __future__ import annotations

import json
from collections.abc import Mapping


def dump_tables(tables: Mapping[str, Mapping[str, object]]) -> str:
    """The tables as TOML, in order; the one without a name first."""
    return "\n".join(f"[{name}]\n{_key_lines(table)}" if name else _key_lines(table) for name, table in tables.items())


def _key_lines(table: Mapping[str, object]) -> str:
    return "".join(f"{key} = {_toml_value(value)}\n" for key, value in table.items())


def _toml_value(value: object) -> str:
    """A value as TOML writes it: as JSON does, but for the one control character that JSON leaves as it is."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
