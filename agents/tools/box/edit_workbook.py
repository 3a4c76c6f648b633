"""Runs in the box of an attempt: one operation on a workbook, told by JSON on standard input. Prints what came of it.

Faults of the call end it with code 2 and a line on standard error. Not for import.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.chart import AreaChart, BarChart, LineChart, PieChart, Reference, ScatterChart, Series
from openpyxl.formula.translate import Translator
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter, range_boundaries

MOST_CELLS = 20_000
CHARTS = {"bar": BarChart, "line": LineChart, "pie": PieChart, "area": AreaChart, "scatter": ScatterChart}


class Fault(Exception):
    """The call cannot be carried out; the message says why."""


def find_sheet(book: Any, name: str) -> Any:
    if name not in book.sheetnames:
        raise Fault(f"there is no sheet '{name}'; there are: {', '.join(book.sheetnames)}")
    return book[name]


def bounds(cells: str) -> tuple[int, int, int, int]:
    """First column and row, last column and row."""
    try:
        left, top, right, bottom = map(int, range_boundaries(cells.replace("$", "").upper()))
    except (TypeError, ValueError):  # a whole column has no rows
        raise Fault(f"'{cells}' is no range of cells; one is written A1:C9") from None
    return left, top, right, bottom


def iterate_rows(sheet: Any, cells: str) -> Iterator[tuple[Any, ...]]:
    left, top, right, bottom = bounds(cells)
    if (right - left + 1) * (bottom - top + 1) > MOST_CELLS:
        raise Fault(f"{cells} has more than {MOST_CELLS} cells")
    yield from sheet.iter_rows(min_row=top, max_row=bottom, min_col=left, max_col=right)


def list_sheets(book: Any, told: dict[str, Any]) -> str:
    lines = [
        f"'{sheet.title}': {sheet.dimensions}, {len(sheet._charts)} charts, tables: {', '.join(sheet.tables) or 'none'}"
        for sheet in book.worksheets
    ]
    return "\n".join([*lines, f"names: {', '.join(book.defined_names) or 'none'}"])


def read_range(book: Any, told: dict[str, Any]) -> str:
    sheet = find_sheet(book, told["sheet"])
    shown = [
        f"{cell.coordinate}\t{cell.value}"
        for row in iterate_rows(sheet, told["cells"])
        for cell in row
        if cell.value is not None
    ]
    return "\n".join(shown) or "all of these cells are empty"


def write_range(book: Any, told: dict[str, Any]) -> str:
    sheet = book[told["sheet"]] if told["sheet"] in book.sheetnames else book.create_sheet(told["sheet"])
    left, top, *_ = bounds(told["at"])
    for row, values in enumerate(told["rows"], start=top):
        for column, value in enumerate(values, start=left):
            sheet.cell(row, column).value = value
    return f"wrote {sum(map(len, told['rows']))} cells from {told['at']} of '{sheet.title}' on"


def fill_range(book: Any, told: dict[str, Any]) -> str:
    """Copy a cell over a range; relative references move along."""
    sheet = find_sheet(book, told["sheet"])
    source = sheet[told["source"]]
    count = 0
    for row in iterate_rows(sheet, told["cells"]):
        for cell in row:
            if cell.coordinate != source.coordinate:
                is_formula = isinstance(source.value, str) and source.value.startswith("=")
                moved = Translator(source.value, source.coordinate) if is_formula else None
                cell.value = moved.translate_formula(cell.coordinate) if moved else source.value
                cell._style = source._style
                count += 1
    return f"filled {count} cells from {source.coordinate}"


def sort_range(book: Any, told: dict[str, Any]) -> str:
    sheet = find_sheet(book, told["sheet"])
    left, top, right, _ = bounds(told["cells"])
    rows = [[(cell.value, cell._style) for cell in row] for row in iterate_rows(sheet, told["cells"])]
    key, *_ = bounds(f"{told['by']}1")
    if not left <= key <= right:
        raise Fault(f"column {told['by']} is not within {told['cells']}")
    if any(isinstance(value, str) and value.startswith("=") for row in rows for value, _ in row):
        raise Fault("a cell of the range has a formula: moving it would change what it refers to")
    filled = [row for row in rows if row[key - left][0] is not None]
    try:
        filled.sort(key=lambda row: row[key - left][0], reverse=told["descending"])
    except TypeError:
        raise Fault(f"column {told['by']} has values of several kinds") from None
    blank = [row for row in rows if row[key - left][0] is None]
    for at, row in enumerate([*filled, *blank], start=top):
        for column, (value, style) in enumerate(row, start=left):
            cell = sheet.cell(at, column)
            cell.value, cell._style = value, style
    return f"sorted {len(rows)} rows by column {told['by']}"


def format_range(book: Any, told: dict[str, Any]) -> str:
    sheet = find_sheet(book, told["sheet"])
    for row in iterate_rows(sheet, told["cells"]):
        for cell in row:
            if told["number_format"]:
                cell.number_format = told["number_format"]
            if told["bold"] is not None:
                cell.font = Font(name=cell.font.name, sz=cell.font.sz, color=cell.font.color, b=told["bold"])
            if told["fill"]:
                cell.fill = PatternFill("solid", fgColor=told["fill"])
    return f"formatted {told['cells']}"


def add_chart(book: Any, told: dict[str, Any]) -> str:
    sheet = find_sheet(book, told["sheet"])
    left, top, right, bottom = bounds(told["cells"])
    chart = CHARTS[told["kind"]]()
    chart.title = told["title"] or None
    labels = Reference(sheet, min_col=left, min_row=top + 1, max_row=bottom)
    values = Reference(sheet, min_col=left + 1, max_col=right, min_row=top, max_row=bottom)
    if told["kind"] == "scatter":
        for column in range(left + 1, right + 1):
            ys = Reference(sheet, min_col=column, min_row=top, max_row=bottom)
            chart.series.append(Series(ys, labels, title_from_data=True))
    else:
        chart.add_data(values, titles_from_data=True)
        chart.set_categories(labels)
    sheet.add_chart(chart, told["at"])
    return f"added a {told['kind']} chart of {get_column_letter(left)}{top}:{get_column_letter(right)}{bottom}"


OPERATIONS: dict[str, tuple[Callable[[Any, dict[str, Any]], str], bool]] = {
    "list": (list_sheets, False),
    "read": (read_range, False),
    "write": (write_range, True),
    "fill": (fill_range, True),
    "sort": (sort_range, True),
    "format": (format_range, True),
    "chart": (add_chart, True),
}
"""What each does, and whether the workbook is saved afterwards."""

if __name__ == "__main__":
    told = json.load(sys.stdin)
    operation, saves = OPERATIONS[told["operation"]]
    try:
        path = Path(told["path"])
        book = openpyxl.load_workbook(path)
        print(operation(book, told))
        if saves:
            book.save(path)
    except Exception as fault:  # a workbook can be wrong in more ways than its reader has names for
        print(fault if isinstance(fault, Fault) else f"{type(fault).__name__}: {fault}", file=sys.stderr)
        sys.exit(2)
