"""Runs in the box of an attempt: one operation on a deck, told by JSON on standard input. Prints what came of it.

Faults of the call end it with code 2 and a line on standard error. Not for import.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Pt

PLACE = ("left", "top", "width", "height")
CHARTS = {
    "bar": XL_CHART_TYPE.BAR_CLUSTERED,
    "column": XL_CHART_TYPE.COLUMN_CLUSTERED,
    "line": XL_CHART_TYPE.LINE,
    "pie": XL_CHART_TYPE.PIE,
}


class Fault(Exception):
    """The call cannot be carried out; the message says why."""


def find_slide(deck: Any, told: dict[str, Any]) -> Any:
    slides = list(deck.slides)
    if not 1 <= told["slide"] <= len(slides):
        raise Fault(f"there is no slide {told['slide']}; there are {len(slides)}")
    return slides[told["slide"] - 1]


def find_shape(deck: Any, told: dict[str, Any]) -> Any:
    shapes = list(find_slide(deck, told).shapes)
    found = [shape for shape in shapes if shape.shape_id == told["shape"]]
    if not found:
        raise Fault(f"slide {told['slide']} has no shape {told['shape']}; it has: {', '.join(map(name_shape, shapes))}")
    return found[0]


def name_shape(shape: Any) -> str:
    return f"{shape.shape_id} ({shape.name})"


def list_slides(deck: Any, told: dict[str, Any]) -> str:
    lines = [f"layouts: {', '.join(repr(layout.name) for layout in deck.slide_layouts)}"]
    for number, slide in enumerate(deck.slides, start=1):
        lines.append(f"slide {number}, layout '{slide.slide_layout.name}'")
        lines += [f"  shape {name_shape(shape)}: {summarise(shape)}" for shape in slide.shapes]
    return "\n".join(lines)


def summarise(shape: Any) -> str:
    """What a shape is, in a line."""
    if getattr(shape, "has_table", False):
        return f"table of {len(shape.table.rows)} rows, {len(shape.table.columns)} columns"
    if getattr(shape, "has_chart", False):
        return f"chart {shape.chart.chart_type}"
    text = shape.text_frame.text if shape.has_text_frame else ""
    return repr(text[:80]) if text else "empty" if shape.is_placeholder else str(shape.shape_type)


def read_shape(deck: Any, told: dict[str, Any]) -> str:
    shape = find_shape(deck, told)
    edges = [getattr(shape, edge) for edge in PLACE]
    lines = [f"place in points: {[None if edge is None else round(edge / 12700, 1) for edge in edges]}"]
    if shape.has_text_frame:
        lines += [f"level {each.level}: {each.text}" for each in shape.text_frame.paragraphs]
    if getattr(shape, "has_table", False):
        lines += [" | ".join(cell.text for cell in row.cells) for row in shape.table.rows]
    if getattr(shape, "has_chart", False):
        plot = shape.chart.plots[0]
        lines.append(f"categories: {list(plot.categories)}")
        lines += [f"{series.name}: {list(series.values)}" for series in plot.series]
    return "\n".join(lines)


def set_text(deck: Any, told: dict[str, Any]) -> str:
    """Write paragraphs into a shape, or a text into a cell of its table; the looks of the first letters stay."""
    shape = find_shape(deck, told)
    if getattr(shape, "has_table", False):
        frame = shape.table.cell(told["row"] - 1, told["column"] - 1).text_frame
    elif shape.has_text_frame:
        frame = shape.text_frame
    else:
        raise Fault(f"shape {name_shape(shape)} has no text")
    old = frame.paragraphs
    for paragraph in old[len(told["paragraphs"]) :]:
        paragraph._p.getparent().remove(paragraph._p)
    for number, text in enumerate(told["paragraphs"]):
        rewrite(old[number] if number < len(old) else frame.add_paragraph(), text)
    return f"shape {name_shape(shape)} says: {frame.text[:200]}"


def rewrite(paragraph: Any, text: str) -> None:
    if not paragraph.runs:
        paragraph.text = text
        return
    first, *rest = paragraph.runs
    first.text = text
    for run in rest:
        run._r.getparent().remove(run._r)


def add_slide(deck: Any, told: dict[str, Any]) -> str:
    layouts = {layout.name: layout for layout in deck.slide_layouts}
    if told["layout"] not in layouts:
        raise Fault(f"there is no layout '{told['layout']}'; there are: {', '.join(layouts)}")
    slide = deck.slides.add_slide(layouts[told["layout"]])
    return f"slide {len(deck.slides)} has the shapes {', '.join(map(name_shape, slide.shapes)) or 'none'}"


def place_shape(deck: Any, told: dict[str, Any]) -> str:
    shape = find_shape(deck, told)
    edges = [getattr(shape, edge) if told[edge] is None else Pt(told[edge]) for edge in PLACE]
    for name, edge in zip(PLACE, edges, strict=True):
        setattr(shape, name, edge)
    return f"shape {name_shape(shape)} was placed"


def set_chart(deck: Any, told: dict[str, Any]) -> str:
    """Give a chart other data; without a shape, a chart is added to the slide."""
    make_data: Any = CategoryChartData
    data = make_data()
    data.categories = told["categories"]
    for name, values in told["series"].items():
        data.add_series(name, values)
    if told["shape"]:
        find_shape(deck, told).chart.replace_data(data)
        return "the chart has its data"
    frame = [Pt(told[edge]) if told[edge] is not None else Pt(100) for edge in PLACE]
    return f"chart {name_shape(find_slide(deck, told).shapes.add_chart(CHARTS[told['kind']], *frame, data))} was added"


def write_notes(deck: Any, told: dict[str, Any]) -> str:
    find_slide(deck, told).notes_slide.notes_text_frame.text = told["text"]
    return f"slide {told['slide']} has its notes"


OPERATIONS: dict[str, tuple[Callable[[Any, dict[str, Any]], str], bool]] = {
    "list": (list_slides, False),
    "read": (read_shape, False),
    "text": (set_text, True),
    "slide": (add_slide, True),
    "place": (place_shape, True),
    "chart": (set_chart, True),
    "notes": (write_notes, True),
}
"""What each does, and whether the deck is saved afterwards."""

if __name__ == "__main__":
    told = json.load(sys.stdin)
    operation, saves = OPERATIONS[told["operation"]]
    try:
        path = Path(told["path"])
        fresh = told["operation"] == "slide" and not path.exists()
        deck = Presentation() if fresh else Presentation(str(path))
        print(operation(deck, told))
        if saves:
            deck.save(str(path))
    except Exception as fault:  # a deck can be wrong in more ways than its reader has names for
        print(fault if isinstance(fault, Fault) else f"{type(fault).__name__}: {fault}", file=sys.stderr)
        sys.exit(2)
