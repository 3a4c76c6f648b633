"""Runs in the office suite's box, without the suite: `describe_workbook.py FILE OUT`. Writes what a workbook holds as
JSON, or `{"fault": "why it must not or cannot be opened"}`.

What is written is read by `crucible/domains/office/sheets/workbook.py`, which says what the fields mean.
"""

from __future__ import annotations

import datetime
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import no_numpy  # noqa: F401
import openpyxl
from cell_looks import CellLooks
from guard import has_macros, list_outer_links, refuse
from openpyxl.utils.cell import get_column_letter, rows_from_range
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet import _reader
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula

MOST_CELLS = 2_000_000
TABLE = "{table}"
"""In the place of the formulas of a what-if table."""
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
NOT_A_TYPE = ("layout", "catAx", "valAx", "dateAx", "serAx", "dTable", "spPr", "extLst")


def keep_number(value: Any, *_: Any, **__: Any) -> Any:
    """A date as the number that the file has. The reader's own dates begin in 1900: earlier ones become errors."""
    return value


class Formula(str):
    """The text of a formula, which may have more attributes than text has."""


class ParserOfBoth(_reader.WorkSheetParser):  # type: ignore[misc]  # the library has no types
    """Keeps the value that was stored with a formula as the formula's attribute `stored`. The library reads either, and
    a large workbook takes seconds to be read."""

    def parse_cell(self, element: Any) -> Any:
        cell = super().parse_cell(element)
        if cell["data_type"] == "f":
            self.data_only = True
            stored = super().parse_cell(element)["value"]
            self.data_only, self.col_counter = False, cell["column"]
            cell["value"] = Formula(cell["value"]) if isinstance(cell["value"], str) else cell["value"]
            cell["value"].stored = stored
        return cell


_reader.from_excel = keep_number
_reader.WorkSheetParser = ParserOfBoth


def describe(path: Path) -> dict[str, Any]:
    """All that is compared between workbooks."""
    book = openpyxl.load_workbook(path, keep_vba=False, keep_links=True, rich_text=False)
    styles = CellLooks(book)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        charts = [describe_chart(archive.read(name)) for name in names if is_chart(name)]
        macros, links = has_macros(archive), list_outer_links(archive)
    return {
        "sheets": [describe_sheet(sheet, styles) for sheet in book.worksheets],
        "names": describe_names(book),
        "charts": charts,
        "parts": sorted(names),
        "epoch": book.epoch.isoformat()[:10],
        "macros": macros,
        "links": links,
    }


def describe_names(book: Any) -> dict[str, str]:
    """What names stand for; those of one sheet alone are written `Sheet!name`, without those that programs make."""
    names = {name: str(defined.attr_text) for name, defined in book.defined_names.items()}
    for sheet in book.worksheets:
        own = [(name, each.attr_text) for name, each in sheet.defined_names.items() if not name.startswith("_xlnm.")]
        names |= {f"{sheet.title}!{name}": str(text) for name, text in own}
    return names


def describe_sheet(sheet: Any, styles: CellLooks) -> dict[str, Any]:
    if len(sheet._cells) > MOST_CELLS:
        raise ValueError(f"sheet '{sheet.title}' has more than {MOST_CELLS} cells")
    cells = {}
    for _, cell in sorted(sheet._cells.items()):  # a sheet with one value in its last row has a million rows to iterate
        if cell.value is not None or cell.has_style:
            cells[cell.coordinate] = describe_cell(cell, styles)
    for place in [place for cell in sheet._cells.values() for place in list_table_places(cell.value)]:
        if place in cells:
            cells[place][0] = TABLE
    return {
        "name": sheet.title,
        "state": sheet.sheet_state,
        "cells": cells,
        "merged": sorted(str(area) for area in sheet.merged_cells.ranges),
        "conditional": sorted(join_areas(area.sqref) for area in sheet.conditional_formatting),
        "validations": sorted(map(describe_validation, list_validations(sheet))),
        "tables": dict(sheet.tables.items()),
        "arrays": {cell.coordinate: cell.value.ref for cell in sheet._cells.values() if is_array(cell.value)},
        "filter": sheet.auto_filter.ref or "",
        "frozen": sheet.freeze_panes or "",
        "charts": len(sheet._charts),
        "images": len(sheet._images),
        "comments": sum(cell.comment is not None for cell in sheet._cells.values()),
        "concealed": list_concealed(sheet),
        "widths": {key: round(column.width, 2) for key, column in sheet.column_dimensions.items()},
    }


def is_array(value: Any) -> bool:
    """Whether a formula fills cells beside its own."""
    return isinstance(value, ArrayFormula) and ":" in (value.ref or "")


def list_table_places(value: Any) -> list[str]:
    """The cells of a table of what would be if an input were another one: only the first says that it is one."""
    if not isinstance(value, DataTableFormula):
        return []
    return [place for row in rows_from_range(value.ref) for place in row]


def list_concealed(sheet: Any) -> list[str]:
    """Rows and columns that are not shown, those beside each other as one: `rows 3-7`."""
    rows = [(row, row) for row, line in sheet.row_dimensions.items() if line.hidden]
    columns = [(line.min, line.max) for line in sheet.column_dimensions.values() if line.hidden]
    return [f"rows {a}-{b}" for a, b in join_lines(rows)] + [f"columns {a}-{b}" for a, b in join_lines(columns)]


def join_lines(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that follow each other as one."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def list_validations(sheet: Any) -> list[Any]:
    """The rules that forbid something; one without a kind only says something to who writes there."""
    rules = sheet.data_validations.dataValidation if sheet.data_validations else []
    return [rule for rule in rules if rule.type not in (None, "none")]


def describe_validation(rule: Any) -> str:
    """Where a rule holds and what it allows; some programs write blanks between the words of a list."""
    allowed = re.sub(r"\s*,\s*", ",", rule.formula1 or "") if rule.type == "list" else rule.formula1
    return f"{join_areas(rule.sqref)} {rule.type} {allowed}"


def join_areas(areas: Any) -> str:
    """Areas, column by column, those below each other as one: `C1 C2:C14` is `C1:C14`."""
    columns: dict[int, list[tuple[int, int]]] = {}
    for area in areas.ranges:
        for column in range(area.min_col, area.max_col + 1):
            columns.setdefault(column, []).append((area.min_row, area.max_row))
    runs = [(get_column_letter(column), *run) for column, rows in sorted(columns.items()) for run in join_lines(rows)]
    return " ".join(f"{letter}{top}:{letter}{bottom}" for letter, top, bottom in runs)


def describe_cell(cell: Any, styles: CellLooks) -> list[Any]:
    """Its formula, the value that was stored, its number format, its style."""
    formula, value = "", cell.value
    if isinstance(value, ArrayFormula):
        formula = f"{{{value.text}}}"
    elif isinstance(value, DataTableFormula):
        formula = TABLE
    elif cell.data_type == "f":
        formula = str(value)
    kept = plain(value.stored if formula else value, cell.parent.parent.epoch)
    return [formula, kept, cell.number_format, styles.name(cell)]


def plain(value: Any, epoch: datetime.datetime) -> Any:
    """The value as JSON has it: dates and times as the numbers that a workbook keeps."""
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return to_excel(value, epoch)
    if isinstance(value, datetime.timedelta):
        return value.total_seconds() / 86400
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def is_chart(name: str) -> bool:
    return name.startswith("xl/charts/chart") and name.endswith(".xml")


def describe_chart(xml: bytes) -> dict[str, Any]:
    """What kinds of chart are drawn, and from which cells."""
    root = ElementTree.fromstring(xml)
    area = root.find(f"{CHART}chart/{CHART}plotArea")
    kinds = [child.tag.removeprefix(CHART) for child in area] if area is not None else []
    return {
        "kinds": [kind for kind in kinds if kind not in NOT_A_TYPE],
        "ranges": sorted({found.text or "" for found in root.iter(f"{CHART}f")}),
        "title": "".join(text.text or "" for text in root.findall(f"{CHART}chart/{CHART}title//*") if text.text),
    }


if __name__ == "__main__":
    path, out = Path(sys.argv[1]), Path(sys.argv[2])
    why = refuse(path)
    if not why:
        try:
            out.write_text(json.dumps(describe(path)))
        except Exception as fault:  # a file can be wrong in more ways than its reader has names for
            why = f"the workbook cannot be read: {type(fault).__name__}: {fault}"[:500]
    if why:
        out.write_text(json.dumps({"fault": why}))
