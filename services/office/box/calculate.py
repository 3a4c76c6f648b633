"""Runs in the office suite's box: `calculate.py WORKBOOK SETS OUT`. Calculates every formula, whatever values were
stored, and writes all values; then again after each set of changes, each over the workbook as it came.

SETS has the changes as a JSON list: for each set, sheet by sheet, values by cell. OUT gets a JSON list that is longer
by one: for each calculation, sheet by sheet, the values by cell, errors as `{"error": "#DIV/0!"}`. Empty cells are
left out.
The codes it ends with are those of `convert.py`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from slim_workbook import drop_conditional_formats
from suite import GONE, connect, ending_code, load_unseen

MOST_CELLS = 4_000_000
"""The used area of one sheet may have so many cells: all are held in memory at once."""
MOST_AREAS = 20_000
"""In a sheet that is larger so many separate areas may have a content."""
CONTENTS = 1 | 2 | 4 | 16
"""The suite's flags for cells with a number, a date, a text or a formula."""
WHAT_IF, FORMULAS = "MULTIPLE.OPERATIONS", 0
"""The suite's function for tables of what would be if an input were another one, and its number for a search in
formulas."""
FORMULA_ERRORS = 4
"""The suite's flag for cells whose formula has come to an error."""

Changes = dict[str, dict[str, Any]]


def calculate(document: Any, sets: list[Changes]) -> Iterator[dict[str, Any]]:
    """The values of all sheets as the workbook came, then after each set of changes."""
    tables = list(list_table_cells(document))
    yield settle(document, tables)
    for changes in sets:
        before = list(apply(document, changes))
        yield settle(document, tables)
        for cell, formula in before:
            cell.setFormula(formula)


def settle(document: Any, tables: list[tuple[Any, str]]) -> dict[str, Any]:
    """The values of all sheets, calculated. A table of what would be if an input were another one leaves cells that it
    has tried with other inputs as they were then: with its outcomes in its place all else is calculated once more."""
    document.calculateAll()
    if not tables:
        return read_values(document)
    for cell, _ in tables:
        if not cell.getError():
            cell.setValue(cell.getValue())
    document.calculateAll()
    values = read_values(document)
    for cell, formula in tables:
        cell.setFormula(formula)
    return values


def list_table_cells(document: Any) -> Iterator[tuple[Any, str]]:
    """The cells of such tables, with their formulas."""
    for name in document.Sheets.ElementNames:
        sheet = document.Sheets.getByName(name)
        search = sheet.createSearchDescriptor()
        search.SearchString, search.SearchType = WHAT_IF, FORMULAS
        found = sheet.findAll(search)
        for place in found.RangeAddresses if found is not None else ():
            for row in range(place.StartRow, place.EndRow + 1):
                for column in range(place.StartColumn, place.EndColumn + 1):
                    cell = sheet.getCellByPosition(column, row)
                    yield cell, cell.getFormula()


def apply(document: Any, changes: Changes) -> Iterator[tuple[Any, str]]:
    """Write the values; gives each cell with what stood there."""
    for sheet, cells in changes.items():
        for place, value in cells.items():
            cell = document.Sheets.getByName(sheet).getCellRangeByName(place).getCellByPosition(0, 0)
            yield cell, cell.getFormula()
            if isinstance(value, str):
                cell.setString(value)
            else:
                cell.setValue(float(value))


def read_values(document: Any) -> dict[str, Any]:
    return {name: dict(read_sheet(document.Sheets.getByName(name))) for name in document.Sheets.ElementNames}


def read_sheet(sheet: Any) -> Iterator[tuple[str, Any]]:
    """Each cell that is not empty: its place and its value."""
    for area in list_filled_areas(sheet):
        address = area.RangeAddress
        letters = [column_letters(column) for column in range(address.StartColumn, address.EndColumn + 1)]
        for number, row in enumerate(area.getDataArray(), start=address.StartRow + 1):
            for letter, value in zip(letters, row, strict=True):
                if value is not None and value != "":
                    yield f"{letter}{number}", value
        for place in area.queryFormulaCells(FORMULA_ERRORS).RangeAddresses:
            yield from read_errors(sheet, place)


def list_filled_areas(sheet: Any) -> list[Any]:
    """Areas that hold all there is: the used area of the sheet or, where that is too large, those with a content."""
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    last = cursor.RangeAddress
    if (last.EndRow + 1) * (last.EndColumn + 1) <= MOST_CELLS:
        return [sheet.getCellRangeByPosition(0, 0, last.EndColumn, last.EndRow)]
    filled = sheet.queryContentCells(CONTENTS).RangeAddresses
    cells = sum((each.EndRow - each.StartRow + 1) * (each.EndColumn - each.StartColumn + 1) for each in filled)
    if cells > MOST_CELLS or len(filled) > MOST_AREAS:
        raise ValueError(f"sheet '{sheet.Name}' reaches to row {last.EndRow + 1}, column {last.EndColumn + 1}")
    return [
        sheet.getCellRangeByPosition(each.StartColumn, each.StartRow, each.EndColumn, each.EndRow) for each in filled
    ]


def read_errors(sheet: Any, place: Any) -> Iterator[tuple[str, Any]]:
    """The errors of formulas in an area, as the suite shows them."""
    for row in range(place.StartRow, place.EndRow + 1):
        for column in range(place.StartColumn, place.EndColumn + 1):
            shown = sheet.getCellByPosition(column, row).getString()
            yield f"{column_letters(column)}{row + 1}", {"error": shown}


def column_letters(column: int) -> str:
    """0 is A, 26 is AA."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


if __name__ == "__main__":
    workbook, given_sets, out = (Path(argument).absolute() for argument in sys.argv[1:4])
    try:
        suite = connect()
    except Exception as gone:  # the bridge has its own exceptions, made at run time
        print(gone, file=sys.stderr)
        sys.exit(GONE)
    try:
        slim = workbook.with_name("slim.xlsx")
        opened = load_unseen(suite, slim if drop_conditional_formats(workbook, slim) else workbook)
        try:
            out.write_text(json.dumps(list(calculate(opened, json.loads(given_sets.read_text())))))
        finally:
            opened.close(True)
    except Exception as fault:
        print(f"{type(fault).__name__}: {fault}", file=sys.stderr)
        sys.exit(ending_code(fault))
