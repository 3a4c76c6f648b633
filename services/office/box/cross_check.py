"""Runs in the office suite's box, without the suite: `cross_check.py WORKBOOK SETS OUT`. Calculates every formula by a
second engine and writes the values of formula cells, in the form of `calculate.py`.

The sets of changes are as there, too. The engine is young: it may crash or hang on a file, which ends
this process and nothing else.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ironcalc

Changes = dict[str, dict[str, Any]]


def calculate(path: Path, sets: list[Changes]) -> Iterator[dict[str, Any]]:
    """The values of all formulas as the workbook came, then after each set of changes."""
    for changes in [{}, *sets]:
        model = ironcalc.load_from_xlsx(str(path))
        sheets = [sheet["name"] for sheet in model.get_worksheets_properties()]
        apply(model, sheets, changes)
        model.evaluate()
        yield read_values(model, sheets)


def apply(model: Any, sheets: list[str], changes: Changes) -> None:
    for name, cells in changes.items():
        for place, value in cells.items():
            letters = place.rstrip("0123456789")
            column = ironcalc.column_number_from_name(letters)
            at = (sheets.index(name), int(place.removeprefix(letters)), column)
            if isinstance(value, str):
                model.update_cell_with_text(*at, value)
            else:
                model.update_cell_with_number(*at, float(value))


def read_values(model: Any, sheets: list[str]) -> dict[str, Any]:
    """By sheet, then by place. Cells without a formula, and those that show nothing, are left out."""
    values: dict[str, Any] = {name: {} for name in sheets}
    for sheet, row, column in model.get_all_cells():
        if model.get_cell_formula(sheet, row, column) is None:
            continue
        value = model.get_cell_value(sheet, row, column)
        if model.get_cell_type(sheet, row, column) == ironcalc.CellType.ErrorValue:
            value = {"error": str(value)}
        if value is not None and value != "":
            values[sheets[sheet]][f"{ironcalc.column_name_from_number(column)}{row}"] = value
    return values


if __name__ == "__main__":
    workbook, given_sets, out = (Path(argument) for argument in sys.argv[1:4])
    out.write_text(json.dumps(list(calculate(workbook, json.loads(given_sets.read_text())))))
