"""Tools for decks, shape by shape: `box/edit_deck.py` carries them out in the box, with the box's python-pptx."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from agents.tools.box_editing import edit_in_box
from crucible.parts import tool
from crucible.record import Record
from crucible.tooling import BoxPath, ToolContext

PROGRAM = Path(__file__).parent / "box" / "edit_deck.py"


class DeckArguments(Record):
    """A deck."""

    path: BoxPath = Field(description="The pptx file; relative paths start at the working directory.")


class AddSlideArguments(DeckArguments):
    """A new slide at the end; a deck that is not there is made."""

    layout: str = Field(description="The name of a layout of the deck, such as Title and Content.")


class SlideArguments(DeckArguments):
    """A slide of a deck."""

    slide: int = Field(description="Its number, from 1.")


class ShapeArguments(SlideArguments):
    """A shape of a slide."""

    shape: int = Field(description="Its number, as list_slides shows it.")


class SetTextArguments(ShapeArguments):
    """Text for a shape, or for a cell of a table."""

    paragraphs: tuple[str, ...] = Field(min_length=1, description="Its paragraphs; they replace what is there.")
    row: int = Field(default=1, ge=1, description="In a table: the row, from 1.")
    column: int = Field(default=1, ge=1, description="In a table: the column, from 1.")


class PlaceArguments(Record):
    """A place on a slide, in points from its upper left corner; what is not given stays."""

    left: float | None = None
    top: float | None = None
    width: float | None = None
    height: float | None = None


class PlaceShapeArguments(ShapeArguments, PlaceArguments):
    """Another place or size for a shape."""


class SetChartArguments(SlideArguments, PlaceArguments):
    """Data for a chart."""

    shape: int = Field(default=0, description="The chart; 0 adds one to the slide.")
    kind: Literal["bar", "column", "line", "pie"] = Field(default="column", description="Of a chart that is added.")
    categories: tuple[str, ...] = Field(min_length=1)
    series: dict[str, tuple[float, ...]] = Field(description="Values for each category, by the name of the series.")


class WriteNotesArguments(SlideArguments):
    """Notes for the speaker."""

    text: str


@tool("list_slides")
async def list_slides(context: ToolContext, arguments: DeckArguments) -> str:
    """List a deck's layouts, and its slides with the shapes on them."""
    return await _edit(context, "list", arguments)


@tool("read_shape")
async def read_shape(context: ToolContext, arguments: ShapeArguments) -> str:
    """Show a shape: its place, paragraphs, table or chart data."""
    return await _edit(context, "read", arguments)


@tool("set_text")
async def set_text(context: ToolContext, arguments: SetTextArguments) -> str:
    """Replace the paragraphs of a shape, or the text of a cell of a table; the looks of the letters stay."""
    return await _edit(context, "text", arguments)


@tool("add_slide")
async def add_slide(context: ToolContext, arguments: AddSlideArguments) -> str:
    """Add a slide from a layout at the end of a deck. A deck that is not there is made."""
    return await _edit(context, "slide", arguments)


@tool("place_shape")
async def place_shape(context: ToolContext, arguments: PlaceShapeArguments) -> str:
    """Move or resize a shape."""
    return await _edit(context, "place", arguments)


@tool("set_chart_data")
async def set_chart_data(context: ToolContext, arguments: SetChartArguments) -> str:
    """Give a chart other data, or add a chart to a slide."""
    return await _edit(context, "chart", arguments)


@tool("write_notes")
async def write_notes(context: ToolContext, arguments: WriteNotesArguments) -> str:
    """Write the notes for the speaker of a slide."""
    return await _edit(context, "notes", arguments)


async def _edit(context: ToolContext, operation: str, arguments: DeckArguments) -> str:
    return await edit_in_box(context, PROGRAM, operation, arguments)
