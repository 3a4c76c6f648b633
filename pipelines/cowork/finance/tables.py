"""Files as values by place: CSV tables as people write them, and JSON.

A table may have lines above its header, of which one says in what unit amounts are; numbers may have thousands
separators, and parentheses for less than nothing; what is not known is empty, a dash or `n/a`. Where a line was
restated, a second row says so, and its figures count.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from crucible.record import Json

MISSING = {"", "-", "–", "n/a", "na", "n.a."}
RESTATED = " (restated)"
UNIT = "unit"
"""The place of the size of the unit that a table's amounts are in."""
SIZES = {"thousand": 1_000.0, "million": 1_000_000.0}
NUMBER = re.compile(r"\(?[-+]?[\d,]*\.?\d+%?\)?")
# matches: 1,234.5  (310)  12.5%  -7


class Unreadable(ValueError):
    """A file is none that can be read, or has no value at a place."""


class Table(NamedTuple):
    """The values of one file."""

    values: Mapping[str, Json]
    """By place."""
    rows: Mapping[str, int]
    """The line of each row, by its label, in their order."""
    columns: tuple[str, ...] = ()

    def find_place(self, row: str, column: str) -> str:
        """The place of a row's value in a column: the restated one, where there is one."""
        for label in (f"{row}{RESTATED}", row):
            place = f"{self.rows[label]}:{column}" if label in self.rows else ""
            if place in self.values:
                return place
        raise Unreadable(f"no value of '{row}' in column '{column}'")

    def with_value(self, place: str, value: Json) -> Table:
        """The same table with another value at one place."""
        return self._replace(values={**self.values, place: value})


def read_table(name: str, data: bytes) -> Table:
    """The values of a file. Unreadable when it is damaged."""
    try:
        text = data.decode("utf-8-sig")
        return _read_json(text) if name.endswith(".json") else _read_csv(text)
    except (UnicodeDecodeError, json.JSONDecodeError, csv.Error, IndexError, RecursionError) as fault:
        raise Unreadable(f"{name}: {fault}") from None


def _read_csv(text: str) -> Table:
    lines = [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text, newline=""), strict=True)]
    head = next((n for n, line in enumerate(lines) if sum(map(bool, line)) > 1), None)
    if head is None:
        raise Unreadable("there is no table")
    columns, values = tuple(lines[head][1:]), dict(_read_unit(lines[:head]))
    rows: dict[str, int] = {}
    for number, line in enumerate(lines[head + 1 :], start=head + 2):
        if not any(line):
            continue
        if rows.setdefault(line[0], number) != number:
            raise Unreadable(f"line {number} has the label of line {rows[line[0]]}: '{line[0]}'")
        cells = zip(("", *columns), line, strict=False)
        values |= {f"{number}:{column}": read_value(cell) for column, cell in cells if cell.lower() not in MISSING}
    return Table(values, rows, columns)


def _read_unit(lines: list[list[str]]) -> Iterator[tuple[str, Json]]:
    """The size of the unit that the lines above a header name."""
    text = " ".join(cell for line in lines for cell in line).lower()
    yield from ((UNIT, size) for word, size in SIZES.items() if word in text)


def read_value(cell: str) -> Json:
    """The number that a cell shows; its text where it shows none."""
    if not NUMBER.fullmatch(cell):
        return cell
    number = float(cell.strip("()%+").replace(",", ""))
    number = number / 100 if cell.rstrip(")").endswith("%") else number
    return -number if cell.startswith("(") else number


def _read_json(text: str) -> Table:
    values = dict(_list_leaves(json.loads(text), ""))
    return Table(values, {})


def _list_leaves(node: Json, path: str) -> Iterator[tuple[str, Json]]:
    """Each plain value of a JSON document, by its path."""
    if isinstance(node, dict | list):
        for name, child in node.items() if isinstance(node, dict) else enumerate(node):
            yield from _list_leaves(child, f"{path}.{name}" if path else str(name))
    elif node is not None:
        yield path, node
