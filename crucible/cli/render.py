"""Records as something to read: plain fields as lines, lists of records as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from crucible.record import Record
from crucible.running.terminal import escape_controls


def render_record(record: Record) -> RenderableType:
    """The whole record: plain fields, then tables, then records within it; empty ones are left out."""
    pairs = [(name, getattr(record, name)) for name in type(record).model_fields]
    plain = [(name, value) for name, value in pairs if _is_plain(value) and not _is_left_out(record, name)]
    tables = [render_table(value, title=name) for name, value in pairs if _is_rows(value) and value]
    inner = [_render_section(name, value) for name, value in pairs if isinstance(value, Record)]
    return Group(*([render_pairs(plain)] if plain else []), *tables, *inner)


def _render_section(name: str, record: Record) -> RenderableType:
    return Group(Text(name.replace("_", " "), style="italic"), Padding(render_record(record), (0, 0, 0, 2)))


def render_table(rows: Sequence[Record], title: str = "") -> Table:
    """One row per record, one column per field that is not left out of every row. A record that says which of its
    fields gives way (`cropped`) takes one line, however narrow the terminal is."""
    names = [name for name in type(rows[0]).model_fields if not all(_is_left_out(row, name) for row in rows)]
    cropped = getattr(rows[0], "cropped", "")
    table = Table(title=title or None, title_justify="left", header_style="bold", box=None, pad_edge=False)
    table.expand = bool(cropped)
    for name in names:
        number = all(isinstance(getattr(row, name), int | float) for row in rows)
        table.add_column(
            name.replace("_", " "),
            justify="right" if number else "left",
            overflow="ellipsis" if cropped else "fold",
            no_wrap=bool(cropped) or name == "id",  # to be copied whole
            ratio=1 if name == cropped else None,
        )
    for row in rows:
        table.add_row(*(Text(_format_cell(getattr(row, name))) for name in names))
    return table


def render_pairs(pairs: Sequence[tuple[str, Any]]) -> Table:
    """Name and value, one pair per line."""
    table = Table.grid(padding=(0, 2))
    for name, value in pairs:
        table.add_row(Text(name.replace("_", " "), style="bold"), Text(_format_cell(value)))
    return table


def _is_left_out(record: Record, name: str) -> bool:
    """Whether a field says nothing: it is empty, or zero and of those that a record shows `shown_above_zero` only."""
    value = getattr(record, name)
    return not _format_cell(value) or (not value and name in getattr(record, "shown_above_zero", ()))


def _is_plain(value: Any) -> bool:
    return not _is_rows(value) and not isinstance(value, Record)


def _is_rows(value: Any) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(entry, Record) for entry in value)


def _format_cell(value: Any) -> str:
    """A value as harmless text. Only strings that are shown as `Text` reach the terminal: never as markup."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Record):
        return _format_cell(value.model_dump())
    if isinstance(value, Mapping):
        pairs = [f"{escape_controls(str(key))} {_format_cell(entry)}" for key, entry in value.items()]
        return ("; " if any("," in str(key) for key in value) else ", ").join(pairs)
    if isinstance(value, tuple | list):
        return ", ".join(_format_cell(entry) for entry in value)
    return "" if value is None else escape_controls(str(value))
