"""Whether the workbook within a chart has the values that the chart shows: who opens its data would see others else."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

import openpyxl
from guard import refuse

CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
NEAR = 1e-9


def is_backed(chart_part: Any) -> bool:
    """False where a number that is shown and the cell that it is said to come from differ. A chart without a workbook,
    or one whose cells cannot be found, says nothing."""
    try:
        inner = chart_part.chart_workbook.xlsx_part
        if inner is None or refuse_bytes(inner.blob):
            return inner is None
        book = openpyxl.load_workbook(io.BytesIO(inner.blob), data_only=True)
        return not any(differs(book, series) for series in chart_part._element.iter(f"{CHART}numRef"))
    except Exception:  # it is linked, or wrong in more ways than its reader has names for
        return True


def refuse_bytes(blob: bytes) -> str:
    with tempfile.NamedTemporaryFile(suffix=".xlsx") as file:
        file.write(blob)
        file.flush()
        return str(refuse(Path(file.name)))


def differs(book: Any, reference: Any) -> bool:
    """Whether a number of the chart is another one in its cell."""
    sheet, _, cells = (reference.findtext(f"{CHART}f") or "").rpartition("!")
    page = book[sheet.strip("'").replace("''", "'")]
    block = page[cells.replace("$", "")]
    rows = block if isinstance(block, tuple) else ((block,),)
    found = [cell.value for row in rows for cell in (row if isinstance(row, tuple) else (row,))]
    shown = {int(point.get("idx")): float(point.findtext(f"{CHART}v")) for point in reference.iter(f"{CHART}pt")}
    pairs = [(value, found[at]) for at, value in shown.items() if at < len(found)]
    return any(isinstance(cell, int | float) and abs(cell - value) > NEAR * max(1, abs(value)) for value, cell in pairs)
