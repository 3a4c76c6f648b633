"""Tables in a sheet: a row of headers, and rows of values below it without a gap."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from openpyxl.utils.cell import quote_sheetname

from crucible.domains.office.sheets.workbook import column_letters, column_number

Kind = Literal["number", "key", "text", "date", "formula", "mixed"]
"""What all values of a column are; `key` are numbers that only count the rows, with which nobody calculates."""
LEAST_ROWS, LEAST_COLUMNS = 3, 2
HIGHEST_HEADER = 10
"""Headers are looked for in so many rows."""


class Column(NamedTuple):
    """One column of a table."""

    letter: str
    header: str
    kind: Kind


class Table(NamedTuple):
    """Where a table lies."""

    sheet: str
    header_row: int
    last_row: int
    columns: tuple[Column, ...]

    @property
    def rows(self) -> range:
        """The rows below the header."""
        return range(self.header_row + 1, self.last_row + 1)

    @property
    def next_letter(self) -> str:
        """The column to the right of it."""
        return column_letters(column_number(self.columns[-1].letter) + 1)

    def of_kind(self, *kinds: Kind) -> list[Column]:
        return [column for column in self.columns if column.kind in kinds]

    def area(self, column: Column | str, *, absolute: bool = False) -> str:
        """A column's values, without the sheet: `B2:B9`."""
        letter = column if isinstance(column, str) else column.letter
        mark = "$" if absolute else ""
        return f"{mark}{letter}{mark}{self.rows[0]}:{mark}{letter}{mark}{self.rows[-1]}"

    def place(self, cells: str) -> str:
        """Cells with the sheet's name before them, as formulas and checks write it."""
        return f"{quote_sheetname(self.sheet) if needs_quotes(self.sheet) else self.sheet}!{cells}"


def needs_quotes(sheet: str) -> bool:
    return not sheet.isidentifier()


def find_tables(book: Any) -> Iterator[Table]:
    """The first table of each visible sheet, where there is one."""
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible" and (table := find_table(sheet)):
            yield table


def find_table(sheet: Any) -> Table | None:
    """The first table of a sheet."""
    for row in range(1, min(sheet.max_row, HIGHEST_HEADER) + 1):
        headers = _read_headers(sheet, row)
        if len(headers) >= LEAST_COLUMNS:
            last = _find_last_row(sheet, row, [letter for letter, _ in headers])
            if last - row >= LEAST_ROWS:
                columns = tuple(
                    Column(letter, header, tell_kind([sheet[f"{letter}{at}"].value for at in range(row + 1, last + 1)]))
                    for letter, header in headers
                )
                return Table(sheet.title, row, last, columns)
    return None


def _read_headers(sheet: Any, row: int) -> list[tuple[str, str]]:
    """Letters and texts of the first unbroken run of headers, each of them different."""
    found: list[tuple[str, str]] = []
    for column in range(1, min(sheet.max_column, 60) + 1):
        value = sheet.cell(row, column).value
        text = value.strip() if isinstance(value, str) and not value.startswith("=") else ""
        if text and len(text) <= 60 and "\n" not in text:
            found.append((column_letters(column), text))
        elif found:
            break
    return found if len({text.lower() for _, text in found}) == len(found) else []


def _find_last_row(sheet: Any, header: int, letters: Sequence[str]) -> int:
    """The last row before the first that lacks a value in the first column, or most values."""
    row = header
    while row < sheet.max_row:
        values = [sheet[f"{letter}{row + 1}"].value for letter in letters]
        if values[0] is None or sum(value is not None for value in values) * 2 < len(values):
            break
        row += 1
    return row


def tell_kind(values: Sequence[Any]) -> Kind:
    """What all values of a column are; blanks make it mixed."""
    if all(isinstance(value, str) and value.startswith("=") for value in values):
        return "formula"
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return "key" if _counts_rows(values) else "number"
    if all(isinstance(value, datetime.date) for value in values):
        return "date"
    if all(isinstance(value, str) and value.strip() and not value.startswith("=") for value in values):
        return "text"
    return "mixed"


def _counts_rows(values: Sequence[Any]) -> bool:
    """Whether each number is the one before and one more."""
    return all(after - before == 1 for before, after in pairwise(values))
