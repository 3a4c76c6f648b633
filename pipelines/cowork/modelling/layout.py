"""Where everything of a template stands in its workbook, and formulas with keys turned into cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from openpyxl.utils import get_column_letter

from pipelines.cowork.modelling.model import SheetPlan, Table, Template

INPUTS = "Inputs"
KEY = re.compile(r"\{(\w+)(<|:all|:last|:own)?\}")
# matches: {price}  {debt<}  {ebitda:all}  {cash:last}  {grid:own}
GAP = 2
"""Empty rows between a sheet's lines and its table."""


class Spot(NamedTuple):
    """Where a line stands: a sheet, a row, and its columns."""

    sheet: str
    row: int
    columns: int = 1

    def cell(self, column: int) -> str:
        """Counted from 1."""
        return f"{self.sheet}!{get_column_letter(column + 1)}{self.row}"

    def area(self) -> str:
        last = "" if self.columns == 1 else f":{get_column_letter(self.columns + 1)}{self.row}"
        return self.cell(1) + last


class TableSpot(NamedTuple):
    """Where a table stands: the row of its headers, which go across from column B and down in column A."""

    sheet: str
    row: int
    table: Table

    def inner(self, down: int, across: int) -> str:
        """A cell below the headers, counted from 1."""
        return f"{self.sheet}!{get_column_letter(across + 1)}{self.row + down}"

    def area(self) -> str:
        last = self.inner(len(self.table.down), len(self.table.across)).partition("!")[2]
        return f"{self.inner(1, 1)}:{last}"

    def own(self) -> str:
        return self.inner(*self.table.own)


class Layout(NamedTuple):
    """Lines and tables by key."""

    lines: dict[str, Spot]
    tables: dict[str, TableSpot]

    def find(self, key: str, part: str, column: int) -> str:
        """The cell or range that a key with its part means in a column."""
        if part == ":own":
            return self.tables[key].own()
        spot = self.lines[key]
        if part == ":all":
            return spot.area()
        if part == ":last":
            return spot.cell(spot.columns)
        return spot.cell(1 if spot.columns == 1 else column - (part == "<"))

    def write(self, formula: str, column: int = 1, **words: str) -> str:
        """A formula with cells in the place of keys; cells are absolute, so that nothing depends on where it stands."""

        def replace(match: re.Match[str]) -> str:
            return words.get(match[1]) or fix(self.find(match[1], match[2] or "", column))

        return KEY.sub(replace, formula)


def fix(area: str) -> str:
    """An area with absolute cells: `Model!$B$2:$F$2`."""
    sheet, _, cells = area.partition("!")
    return f"{sheet}!" + re.sub(r"([A-Z]+)(\d+)", r"$\1$\2", cells)


def lay_out(template: Template) -> Layout:
    """The inputs on the first sheet, then each sheet's lines below its header, then its table."""
    lines = {line.key: Spot(INPUTS, row) for row, line in enumerate(template.input, start=2)}
    tables = {}
    for sheet in template.sheet:
        columns = template.years if sheet.yearly else 1
        lines |= {line.key: Spot(sheet.name, row, columns) for row, line in enumerate(sheet.rows, start=2)}
        if sheet.table:
            tables[sheet.table.key] = TableSpot(sheet.name, len(sheet.rows) + 3 + GAP, sheet.table)
    return Layout(lines, tables)


def list_answers(sheet: SheetPlan, layout: Layout) -> Iterator[tuple[str, str]]:
    """Each area of a sheet that is to be completed, with what stands there."""
    for row in sheet.rows:
        yield layout.lines[row.key].area(), f"{row.label}: {row.says}"
    if sheet.table:
        yield layout.tables[sheet.table.key].area(), f"{sheet.table.label}: {sheet.table.says}"
