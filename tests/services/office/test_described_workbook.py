"""What is said of a workbook, read by the program of the suite's box, which needs no suite."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula

PROGRAM = Path("services/office/box/describe_workbook.py")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("workbook")
    book = openpyxl.Workbook()
    page = book.active
    for row, days in enumerate((-5, 0.25, 45_000.5), start=1):
        page[f"A{row}"] = days
        page[f"A{row}"].number_format = "yyyy-mm-dd"
    page["A1"].comment = Comment("before the calendar begins", "somebody")
    for row in (5, 6, 7):
        page[f"B{row}"] = row
    page["B5"] = DataTableFormula(ref="B5:B6", dt2D=False, r1="A1")
    page.row_dimensions[3].hidden = page.row_dimensions[4].hidden = True
    page.column_dimensions.group("C", "E", hidden=True)
    page["G1"] = ArrayFormula("G1:G3", "=A1:A3*2")
    for kind, words, areas in (("list", '"one, two"', "H1 H2:H9"), (None, None, "I1")):
        page.add_data_validation(DataValidation(type=kind, formula1=words, sqref=areas))
    book.save(folder / "book.xlsx")
    subprocess.run([sys.executable, str(PROGRAM), str(folder / "book.xlsx"), str(folder / "out.json")], check=True)
    found: dict[str, Any] = json.loads((folder / "out.json").read_text())
    return found


def test_dates_are_the_numbers_that_the_file_has(told: dict[str, Any]) -> None:
    """The reader takes a day before 1900 for an error."""
    cells = told["sheets"][0]["cells"]
    assert [cells[f"A{row}"][1] for row in (1, 2, 3)] == [-5, 0.25, 45_000.5]
    assert told["epoch"] == "1899-12-30"


def test_every_cell_of_a_what_if_table_is_known_as_one(told: dict[str, Any]) -> None:
    cells = told["sheets"][0]["cells"]
    assert [cells[f"B{row}"][0] for row in (5, 6, 7)] == ["{table}", "{table}", ""]


def test_what_is_not_shown_and_comments_are_told(told: dict[str, Any]) -> None:
    [page] = told["sheets"]
    assert page["concealed"] == ["rows 3-4", "columns 3-5"]
    assert page["comments"] == 1


def test_rules_are_told_alike_however_programs_write_them(told: dict[str, Any]) -> None:
    """One that forbids nothing is none."""
    assert told["sheets"][0]["validations"] == ['H1:H9 list "one,two"']


def test_the_cells_that_a_formula_fills_are_known(told: dict[str, Any]) -> None:
    assert told["sheets"][0]["arrays"] == {"G1": "G1:G3"}
