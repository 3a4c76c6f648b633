"""Runs in a box of office work: `python spoil_deck.py`, told by JSON on standard input which deck to spoil and how.

Not for import: the code of `mutants.toml` is executed with the helpers below at hand. What is spoilt is our own
good deck, and the code is our own too.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.util import Inches, Pt

NOTHING_TO_SPOIL = 3

told: dict[str, Any] = json.load(sys.stdin)
path = Path(told["path"])
deck: Any = Presentation(str(path))
slides = list(deck.slides)
at_hand = (CategoryChartData, Inches, Pt, RGBColor)
"""What the code uses beside the helpers."""


def nothing() -> Any:
    sys.exit(NOTHING_TO_SPOIL)


def shapes(what: str = "") -> list[Any]:
    """All shapes, or those that have something: `chart`, `table`, `text`, `picture`."""
    found = [shape for slide in slides for shape in slide.shapes]
    if what == "text":
        return [shape for shape in found if shape.has_text_frame and shape.text_frame.text.strip()] or nothing()
    if what == "picture":
        return [shape for shape in found if hasattr(shape, "image")] or nothing()
    return [shape for shape in found if not what or getattr(shape, f"has_{what}", False)] or nothing()


def lists() -> list[Any]:
    """Texts of at least two paragraphs."""
    return [shape for shape in shapes("text") if len(shape.text_frame.paragraphs) > 1] or nothing()


def remove(shape: Any) -> None:
    shape._element.getparent().remove(shape._element)


def set_runs(shape: Any, **looks: Any) -> None:
    """Give all of a shape's text some looks."""
    for paragraph in shape.text_frame.paragraphs:
        for run in paragraph.runs:
            for name, value in looks.items():
                setattr(run.font, name, value)


def add_text(slide: Any, text: str, *place: Any) -> Any:
    box = slide.shapes.add_textbox(*place)
    box.text_frame.text = text
    return box


exec(told["code"])
deck.save(str(path))
