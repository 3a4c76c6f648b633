"""Rows of SpreadsheetBench: a request, a workbook, a right one, and the cells that hold the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openpyxl.utils.cell import quote_sheetname

from crucible.errors import CrucibleError
from crucible.mining import BlobStore, ImportPlace
from crucible.record import Record
from pipelines.cowork.workbooks.tables import needs_quotes

TABLE = "dataset.json"
PAIRS = (
    ("1_{id}_input.xlsx", "1_{id}_answer.xlsx"),
    ("1_{id}_init.xlsx", "1_{id}_golden.xlsx"),
    ("initial.xlsx", "golden.xlsx"),
)
"""What the given and the right workbook of a row's first case are called, in the releases there are."""
CELLS = re.compile(r"\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?")
# matches: B2, A1:D101


class BenchRow(Record):
    """One row, its workbooks stored."""

    id: str
    instruction: str
    kind: str = ""
    answers: str
    """Where the answer is, as the row says: `H3:H5`, `'Paid'!A1:D43,'NotPaid'!A1:D7`."""
    given: str = ""
    gold: str = ""
    """Digests; empty where there is no file."""


def read_bench_rows(place: ImportPlace, blobs: BlobStore) -> Iterator[BenchRow]:
    """Every row of a release that was unpacked to a folder."""
    table = place.path / TABLE if place.path.is_dir() else place.path
    if not table.is_file():
        raise CrucibleError(f"there is no {TABLE} in '{place.path}'", "name the folder that a release was unpacked to")
    for row in json.loads(table.read_text(encoding="utf-8")):
        yield _store_row(row, table.parent, blobs)


def _store_row(row: dict[str, Any], folder: Path, blobs: BlobStore) -> BenchRow:
    name = str(row["id"])
    files = folder / row.get("spreadsheet_path", f"spreadsheet/{name}")
    pairs = [tuple(files / each.format(id=name) for each in pair) for pair in PAIRS]
    given, gold = next((pair for pair in pairs if pair[0].is_file() and pair[1].is_file()), (None, None))
    return BenchRow(
        id=name,
        instruction=row["instruction"],
        kind=row.get("instruction_type", ""),
        answers=row["answer_position"],
        given=blobs.put(given.read_bytes()) if given else "",
        gold=blobs.put(gold.read_bytes()) if gold else "",
    )


def list_answers(text: str, first_sheet: str) -> tuple[str, ...]:
    """The areas of an answer as checks write them; ValueError for what is none. Rows quote sheets carelessly."""
    found = []
    for part in text.split(","):
        sheet, _, cells = part.strip().rpartition("!")
        sheet, cells = sheet.strip("'\" ") or first_sheet, cells.strip("'\" ").upper()
        if not CELLS.fullmatch(cells):
            raise ValueError(f"'{part}' names no cells")
        found.append(f"{quote_sheetname(sheet) if needs_quotes(sheet) else sheet}!{cells}")
    return tuple(found)
