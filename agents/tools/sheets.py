"""Tools for workbooks, cell by cell: `box/edit_workbook.py` carries them out in the box, with the box's openpyxl."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from agents.tools.box_editing import edit_in_box
from crucible.parts import tool
from crucible.record import Record
from crucible.tooling import BoxPath, ToolContext

PROGRAM = Path(__file__).parent / "box" / "edit_workbook.py"


class WorkbookArguments(Record):
    """A workbook."""

    path: BoxPath = Field(description="The xlsx file; relative paths start at the working directory.")


class SheetArguments(WorkbookArguments):
    """A sheet of a workbook."""

    sheet: str = Field(description="The sheet's name.")


class RangeArguments(SheetArguments):
    """Cells of a sheet."""

    cells: str = Field(description="The cells, such as B2:D9.")


class WriteCellsArguments(SheetArguments):
    """Values and formulas for cells of a sheet; a sheet that is not there is added."""

    at: str = Field(description="The first cell, such as B2.")
    rows: tuple[tuple[str | int | float | bool | None, ...], ...] = Field(
        description="Rows of values; text that begins with = is a formula, null empties a cell."
    )


class FillCellsArguments(RangeArguments):
    """Copies of one cell."""

    source: str = Field(description="The cell that is copied, such as D2.")


class SortRowsArguments(RangeArguments):
    """An order of rows. The cells are the rows without their header."""

    by: str = Field(description="The letter of the column to sort by.")
    descending: bool = Field(default=False, description="Whether the largest comes first.")


class FormatCellsArguments(RangeArguments):
    """How cells look; what is not given stays."""

    number_format: str = Field(default="", description="Such as #,##0.00 or yyyy-mm-dd.")
    bold: bool | None = Field(default=None, description="Bold letters, or none.")
    fill: str = Field(default="", description="The background as six hexadecimal digits.")


class AddChartArguments(RangeArguments):
    """A chart of a block of cells: labels in its first column, a header in its first row, a series in each further
    column."""

    kind: Literal["bar", "line", "pie", "area", "scatter"] = Field(description="What is drawn.")
    at: str = Field(description="The cell at its upper left corner.")
    title: str = Field(default="", description="What stands above it.")


@tool("list_sheets")
async def list_sheets(context: ToolContext, arguments: WorkbookArguments) -> str:
    """List a workbook's sheets with their sizes, charts and tables, and its names."""
    return await _edit(context, "list", arguments)


@tool("read_cells")
async def read_cells(context: ToolContext, arguments: RangeArguments) -> str:
    """Show cells that are not empty, each with its value or formula."""
    return await _edit(context, "read", arguments)


@tool("write_cells")
async def write_cells(context: ToolContext, arguments: WriteCellsArguments) -> str:
    """Write values and formulas into cells. A sheet that is not there is added behind the others."""
    return await _edit(context, "write", arguments)


@tool("fill_cells")
async def fill_cells(context: ToolContext, arguments: FillCellsArguments) -> str:
    """Copy one cell over others, with its format; relative references in a formula move along."""
    return await _edit(context, "fill", arguments)


@tool("sort_rows")
async def sort_rows(context: ToolContext, arguments: SortRowsArguments) -> str:
    """Sort rows of values by one column; whole rows within the cells move."""
    return await _edit(context, "sort", arguments)


@tool("format_cells")
async def format_cells(context: ToolContext, arguments: FormatCellsArguments) -> str:
    """Set number format, bold letters or background of cells."""
    return await _edit(context, "format", arguments)


@tool("add_chart")
async def add_chart(context: ToolContext, arguments: AddChartArguments) -> str:
    """Add a chart of a block of cells: labels in the first column, headers in the first row."""
    return await _edit(context, "chart", arguments)


async def _edit(context: ToolContext, operation: str, arguments: WorkbookArguments) -> str:
    return await edit_in_box(context, PROGRAM, operation, arguments)
