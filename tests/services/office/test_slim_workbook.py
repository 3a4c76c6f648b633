"""Large workbooks without their conditional formats, as they are calculated."""

from __future__ import annotations

import runpy
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.formatting.rule import FormulaRule

drop_conditional_formats = runpy.run_path("services/office/box/slim_workbook.py")["drop_conditional_formats"]
SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize(("rows", "dropped"), [(6000, True), (60, False)])
def test_only_conditional_formats_of_large_sheets_are_dropped(rows: int, dropped: bool, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in range(1, rows):
        book.active.append([row, f"=A{row}*2", "text"])
    for area in ("A1:A9", "B1:B9"):
        book.active.conditional_formatting.add(area, FormulaRule(formula=["COUNTIF(A:A,A1)>1"]))
    source, slim = tmp_path / "in.xlsx", tmp_path / "slim.xlsx"
    book.save(source)
    assert drop_conditional_formats(source, slim) is dropped
    if dropped:
        with zipfile.ZipFile(source) as before, zipfile.ZipFile(slim) as after:
            assert before.namelist() == after.namelist()
            rest, found, _ = before.read(SHEET).partition(b"<conditionalFormatting")
            assert found
            assert after.read(SHEET).startswith(rest)
            assert b"conditionalFormatting" not in after.read(SHEET)
        assert openpyxl.load_workbook(slim).active.max_row == rows - 1


def test_what_is_no_workbook_is_left_to_the_suite(tmp_path: Path) -> None:
    (tmp_path / "in.xlsx").write_bytes(b"PK no workbook")
    assert not drop_conditional_formats(tmp_path / "in.xlsx", tmp_path / "slim.xlsx")
