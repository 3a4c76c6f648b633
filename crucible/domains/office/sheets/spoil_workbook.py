"""Runs in a box of office work: `python spoil_workbook.py`, told by JSON on standard input which file to spoil and how.

Not for import: the code of `mutants.toml` is executed with the helpers below at hand. What is spoilt is our own good
workbook, and the code is our own too.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl

NOTHING_TO_SPOIL = 3

told: dict[str, Any] = json.load(sys.stdin)
path = Path(told["path"])
book = openpyxl.load_workbook(path)
given: list[str] = [name for name in told["given"] if name in book.sheetnames] or book.sheetnames
answers: list[tuple[str, str]] = [tuple(answer) for answer in told["answers"]]


def nothing() -> Any:
    sys.exit(NOTHING_TO_SPOIL)


def cells(areas: list[Any]) -> list[Any]:
    """The cells of areas that have a value; of cells, those."""
    found = []
    for area in areas:
        if isinstance(area, tuple):
            block = book[area[0]][area[1]]
            rows = block if isinstance(block, tuple) else ((block,),)
            found += [cell for row in rows for cell in row if cell.value is not None]
        else:
            found.append(area)
    return found


def formula(cell: Any) -> bool:
    return isinstance(cell.value, str) and cell.value.startswith("=")


def numbers(areas: list[Any]) -> list[Any]:
    """Those that show a number: the value is one, or a formula that comes to one."""
    return [cell for cell in cells(areas) if is_number(calculate_value(cell))] or nothing()


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def others() -> list[Any]:
    """Cells of the sheets that were given, and are no answers."""
    mine = {(cell.parent.title, cell.coordinate) for cell in cells(answers)}
    return [
        cell
        for name in given
        for row in book[name].iter_rows()
        for cell in row
        if cell.value is not None and (name, cell.coordinate) not in mine
    ]


def calculate_value(cell: Any) -> Any:
    """What a cell shows: as it was stored, or calculated by the suite where a formula was stored without its value."""
    if not formula(cell):
        return cell.value
    stored = read_stored()[cell.parent.title][cell.coordinate].value
    return calculate_book()[cell.parent.title][cell.coordinate].value if stored is None else stored


@cache
def read_stored() -> Any:
    """The workbook with the values that its last program stored."""
    return openpyxl.load_workbook(path, data_only=True)


@cache
def calculate_book() -> Any:
    """The workbook with its values, calculated by the suite."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile"]
        command += ["--convert-to", "xlsx", "--outdir", folder, str(path)]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        return openpyxl.load_workbook(Path(folder) / path.name, data_only=True)


exec(re.sub(r"^\n", "", told["code"]))
book.save(path)
