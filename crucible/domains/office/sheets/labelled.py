"""Tables by their labels: where in a workbook a table stands does not matter, what its labels say does.

A table is a row of headers and rows below it, each with its label in the column of the first header; columns may stand
in any order, on any sheet. The parameters of the verifier `table`, and how a table is found and compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from pydantic import Field

from crucible.domains.office.sheets.comparing import are_same, show
from crucible.domains.office.sheets.workbook import (
    ErrorValue,
    Place,
    Value,
    Values,
    Workbook,
    column_letters,
    column_number,
)
from crucible.record import Record

CELL = re.compile(r"([A-Z]+)(\d+)")
DATE_FORMAT = re.compile(r"[ymd]", re.IGNORECASE)
# matches: yyyy-mm-dd  d. mmm  m/d/yy


class LabelledTable(Record):
    """What one table says."""

    title: str
    headers: tuple[str, ...] = Field(min_length=2)
    """The first is that of the labels."""
    kinds: tuple[Literal["text", "number", "date"], ...]
    rows: tuple[tuple[float | str | None, ...], ...]
    """Dates are the numbers that workbooks have for them."""
    total: str = ""
    """The label of the row of totals; empty where there is none."""
    totals: tuple[str, ...] = ()
    """The headers of the columns that are added up there."""


class TableParams(Record):
    """What is asked of one workbook that an attempt leaves: the parameters of the verifier `table`."""

    path: str
    tables: tuple[LabelledTable, ...] = Field(min_length=1)


class FoundTable(NamedTuple):
    """Where a table stands."""

    sheet: str
    columns: Mapping[str, int]
    """By header."""
    rows: Mapping[str, int]
    """By label, as it compares."""
    repeated: tuple[str, ...]
    """Labels that occur more than once."""

    def place(self, label: str, header: str) -> Place | None:
        """The cell of a label's value."""
        row = self.rows.get(plain(label))
        return Place(self.sheet, f"{column_letters(self.columns[header])}{row}") if row else None


def plain(value: object) -> str:
    """A label or header as it compares: case and blanks do not count."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(str(value).split()).casefold()


def find_tables(wanted: LabelledTable, values: Values) -> list[FoundTable]:
    """Every place where a row has all of the headers."""
    return [found for sheet, cells in values.items() for found in _find_on_sheet(wanted, sheet, cells)]


def _find_on_sheet(wanted: LabelledTable, sheet: str, cells: Mapping[str, Value | ErrorValue]) -> Iterator[FoundTable]:
    grid: dict[int, dict[int, Value | ErrorValue]] = {}
    for at, value in cells.items():
        if matched := CELL.fullmatch(at):
            grid.setdefault(int(matched[2]), {})[column_number(matched[1])] = value
    for row, line in sorted(grid.items()):
        columns = {plain(value): column for column, value in sorted(line.items(), reverse=True)}
        if all(plain(header) in columns for header in wanted.headers):
            yield _read_rows(wanted, sheet, grid, row, {header: columns[plain(header)] for header in wanted.headers})


def _read_rows(
    wanted: LabelledTable,
    sheet: str,
    grid: Mapping[int, Mapping[int, Value | ErrorValue]],
    head: int,
    columns: dict[str, int],
) -> FoundTable:
    """The rows below the headers, down to the first that is empty in all of their columns."""
    rows: dict[str, int] = {}
    repeated = []
    number = head + 1
    while any(column in grid.get(number, {}) for column in columns.values()):
        label = plain(grid[number].get(columns[wanted.headers[0]], ""))
        if rows.setdefault(label, number) != number:
            repeated.append(label)
        number += 1
    return FoundTable(sheet, columns, rows, tuple(repeated))


def list_wrong(wanted: LabelledTable, found: FoundTable, values: Values) -> Iterator[str]:
    """Each labelled value that is not as it should be, rows that are missing, and rows that should not be there."""
    labels = [str(row[0]) for row in wanted.rows]
    yield from (f"'{label}' stands there twice" for label in found.repeated)
    expected = {*map(plain, labels), plain(wanted.total)}
    yield from (f"'{label}' should not be there" for label in found.rows if label not in expected)
    for row in wanted.rows:
        for header, value in zip(wanted.headers[1:], row[1:], strict=True):
            place = found.place(str(row[0]), header)
            got = values.get(place.sheet, {}).get(place.cell) if place else None
            if place is None or not are_same(value, got):
                yield f"{row[0]}, {header}: {show(got)} instead of {show(value)}"
    for header, total in add_up(wanted).items():
        place = found.place(wanted.total, header)
        got = values.get(place.sheet, {}).get(place.cell) if place else None
        if not are_same(total, got):
            yield f"{wanted.total}, {header}: {show(got)} instead of {show(total)}"


def add_up(wanted: LabelledTable) -> dict[str, float]:
    """The total of each column that has one."""
    places = {header: wanted.headers.index(header) for header in wanted.totals}
    return {
        header: sum(value for row in wanted.rows if isinstance(value := row[at], int | float))
        for header, at in places.items()
    }


def list_mistyped(wanted: LabelledTable, found: FoundTable, values: Values, book: Workbook) -> Iterator[str]:
    """Each number that is kept as text, and each date that is none."""
    for row in wanted.rows:
        for header, kind, value in zip(wanted.headers[1:], wanted.kinds[1:], row[1:], strict=True):
            place = found.place(str(row[0]), header)
            if place is None or value is None or kind == "text":
                continue
            got = values.get(place.sheet, {}).get(place.cell)
            is_number = isinstance(got, int | float) and not isinstance(got, bool)
            if not is_number or (kind == "date" and not DATE_FORMAT.search(book.cell(place).number_format)):
                yield f"{place} is no {kind}"
