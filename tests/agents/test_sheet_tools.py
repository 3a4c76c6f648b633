"""Workbooks through tools of different kinds: cell by cell, by code with openpyxl, as tables with pandas."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from agents.calls import use_tool
from crucible import parts
from crucible.acting import Reply
from crucible.model import Task, ToolCall
from crucible.record import Json
from crucible.sandbox import Env
from crucible.tooling import ToolContext, ToolFault, arguments_record
from tests.agents.directory import DirectoryBox
from tests.agents.playing import PreparedTeacher, attempt, call

OPENPYXL = """import openpyxl
book = openpyxl.load_workbook("shops.xlsx")
for row in (2, 3, 4):
    book["Sales"][f"C{row}"] = f"=B{row}*2"
book.save("shops.xlsx")
"""
PANDAS = """import pandas
shops = pandas.read_excel("shops.xlsx", sheet_name="Sales")
doubled = pandas.DataFrame({"double": [f"=B{row}*2" for row in shops.index + 2]})
with pandas.ExcelWriter("shops.xlsx", engine="openpyxl", mode="a", if_sheet_exists="overlay") as writer:
    doubled.to_excel(writer, sheet_name="Sales", startcol=2, index=False, header=False, startrow=1)
"""


@pytest.fixture(autouse=True)
def workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three shops; the box's Python is ours, which has the office libraries too."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    book = openpyxl.Workbook()
    book.active.title = "Sales"
    for row in (["shop", "sold", "double"], ["Birch", 30], ["Ash", 10], ["Cedar", 20]):
        book.active.append(row)
    book.save(tmp_path / "shops.xlsx")
    return tmp_path / "shops.xlsx"


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return ToolContext(DirectoryBox(tmp_path), "{output}", 60.0, lambda: 60.0)


async def use(context: ToolContext, tool: str, **arguments: Json) -> str:
    record = arguments_record(parts.find("tool", tool).make)
    return (await use_tool(tool, context, record.model_validate({"path": "shops.xlsx", **arguments}))).text


def read(workbook: Path, cells: str, sheet: str = "Sales") -> list[list[Any]]:
    return [[cell.value for cell in row] for row in openpyxl.load_workbook(workbook)[sheet][cells]]


async def test_a_formula_that_is_filled_down_refers_to_its_own_row(context: ToolContext, workbook: Path) -> None:
    await use(context, "write_cells", sheet="Sales", at="C2", rows=[["=B2*2"]])
    assert await use(context, "fill_cells", sheet="Sales", source="C2", cells="C2:C4") == "filled 2 cells from C2"
    assert read(workbook, "C2:C4") == [["=B2*2"], ["=B3*2"], ["=B4*2"]]


async def test_sheets_are_listed_cells_read_rows_sorted_and_a_missing_sheet_added(
    context: ToolContext, workbook: Path
) -> None:
    assert "'Sales': A1:C4" in await use(context, "list_sheets")
    assert "B3\t10" in await use(context, "read_cells", sheet="Sales", cells="A1:C4")
    await use(context, "sort_rows", sheet="Sales", cells="A2:C4", by="B", descending=True)
    assert [name for name, *_ in read(workbook, "A2:C4")] == ["Birch", "Cedar", "Ash"]
    await use(context, "write_cells", sheet="Notes", at="A1", rows=[["checked", True, None]])
    assert read(workbook, "A1:B1", "Notes") == [["checked", True]]


async def test_a_chart_is_drawn_and_cells_are_formatted(context: ToolContext, workbook: Path) -> None:
    await use(context, "format_cells", sheet="Sales", cells="B2:B4", number_format="#,##0", bold=True)
    await use(context, "add_chart", sheet="Sales", cells="A1:B4", kind="bar", at="E2", title="Sold")
    sheet = openpyxl.load_workbook(workbook)["Sales"]
    assert (sheet["B2"].number_format, sheet["B2"].font.b, len(sheet._charts)) == ("#,##0", True, 1)


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("read_cells", {"sheet": "Stock", "cells": "A1"}, "there are: Sales"),
        ("read_cells", {"sheet": "Sales", "cells": "everything"}, "is no range"),
        ("sort_rows", {"sheet": "Sales", "cells": "A2:B4", "by": "F"}, "column F is not within"),
        ("list_sheets", {"path": "gone.xlsx"}, "FileNotFoundError"),
    ],
)
async def test_a_call_that_cannot_be_carried_out_says_why(
    tool: str, arguments: dict[str, Json], why: str, context: ToolContext
) -> None:
    carry_out = parts.find("tool", tool).make
    told = arguments_record(carry_out).model_validate({"path": "shops.xlsx", **arguments})
    with pytest.raises(ToolFault, match=why):
        await carry_out(context, told)


@pytest.mark.parametrize(
    ("scaffold", "calls"),
    [
        (
            "cells",
            (
                call("write_cells", path="shops.xlsx", sheet="Sales", at="C2", rows=[["=B2*2"]]),
                call("fill_cells", path="shops.xlsx", sheet="Sales", source="C2", cells="C3:C4"),
            ),
        ),
        ("openpyxl", (call("shell", command=f"python3 - <<'END'\n{OPENPYXL}END"),)),
        ("pandas", (call("shell", command=f"python3 - <<'END'\n{PANDAS}END"),)),
    ],
)
async def test_the_same_work_is_done_through_each_scaffold(
    scaffold: str, calls: tuple[ToolCall, ...], tmp_path: Path, workbook: Path
) -> None:
    task = Task(domain="cowork", kind="sheet", instruction="double what was sold", env=Env(workdir=""))
    teacher = PreparedTeacher(Reply(calls=calls), Reply(calls=(call("submit"),)))
    trajectory, _ = await attempt(task, DirectoryBox(tmp_path), teacher, scaffold=scaffold)
    assert trajectory.ended == "submitted"
    assert read(workbook, "C2:C4") == [["=B2*2"], ["=B3*2"], ["=B4*2"]]
