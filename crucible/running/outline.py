"""A JSON value as an outline: keys with their values, texts of several lines as indented blocks."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from crucible.record import Json
from crucible.running.terminal import escape_controls


def format_outline(value: Json) -> str:
    """Readable and harmless; empty values are left out."""
    return "\n".join(_outline_lines(value, ""))


def wrap_outline(outline: str, width: int) -> str:
    """The outline in lines of at most so many columns; what a line goes on with stands below its text."""
    return "\n".join(part for line in outline.splitlines() for part in _wrap_line(line, width))


def _wrap_line(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip(" ")) + 2, width // 2)
    return wrap(line, width, subsequent_indent=indent, replace_whitespace=False, break_on_hyphens=False) or [line]


def _outline_lines(value: Json, indent: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _outline_entry(f"{key}:", inner, indent)
    elif isinstance(value, list):
        for inner in value:
            yield from _outline_entry("-", inner, indent)
    else:
        yield f"{indent}{_format_value(value)}"


def _outline_entry(label: str, value: Json, indent: str) -> Iterator[str]:
    if value in ("", None, [], {}):
        return
    label = escape_controls(label)
    if isinstance(value, dict | list):
        yield f"{indent}{label}"
        yield from _outline_lines(value, indent + "  ")
    elif isinstance(value, str) and "\n" in value:
        yield f"{indent}{label} |"
        yield from (f"{indent}  {escape_controls(line)}" for line in value.splitlines())
    else:
        yield f"{indent}{label} {_format_value(value)}"


def _format_value(value: Json) -> str:
    return escape_controls(value) if isinstance(value, str) else str(value)
