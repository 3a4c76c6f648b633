"""What is said of a deck that was tampered with: read by the program of the suite's box, which needs no suite."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

PROGRAM = Path("services/office/box/describe_deck.py")
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A slide's shapes by name, as they are described."""
    folder = tmp_path_factory.mktemp("deck")
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for name in ("honest chart", "forged chart"):
        data = CategoryChartData()
        data.categories = ["a", "b"]
        data.add_series("s", [1, 2])
        frame = slide.shapes.add_chart(XL_CHART_TYPE.LINE, 0, 0, Inches(3), Inches(2), data)
        frame.name = name
        if name == "forged chart":
            values = frame.chart._chartSpace.xpath(".//c:val//c:v")
            values[0].text = "7"
    box = slide.shapes.add_textbox(0, 0, Inches(2), Inches(1))
    box.name, box.rotation = "text", 25
    box.text_frame.text = "nobody sees this"
    box.text_frame.paragraphs[0].runs[0].font.fill.background()
    box._element._nvXxPr.cNvPr.set("hidden", "1")
    faint = slide.shapes.add_textbox(0, 0, Inches(2), Inches(1))
    faint.name, faint.text_frame.text = "faint", "nor this"
    run = faint.text_frame.paragraphs[0].runs[0]
    run.font.color.rgb, run.hyperlink.address = RGBColor(0, 0, 0), "http://elsewhere.example/"
    etree.SubElement(run._r.rPr.find(f"{DRAWING}solidFill/{DRAWING}srgbClr"), f"{DRAWING}alpha").set("val", "0")
    deck.save(str(folder / "deck.pptx"))
    subprocess.run([sys.executable, str(PROGRAM), str(folder / "deck.pptx"), str(folder / "out.json")], check=True)
    [told] = json.loads((folder / "out.json").read_text())["slides"]
    return {shape["name"]: shape for shape in told["shapes"]}


def test_a_chart_that_shows_other_values_than_its_workbook_has_is_told(shapes: dict[str, Any]) -> None:
    assert shapes["honest chart"]["chart"]["backed"]
    assert not shapes["forged chart"]["chart"]["backed"]


def test_what_hides_text_is_told(shapes: dict[str, Any]) -> None:
    text, faint = shapes["text"], shapes["faint"]
    assert (text["hidden"], text["angle"], text["paragraphs"][0]["colour"]) == (True, 25.0, "none")
    assert faint["paragraphs"][0]["colour"] == "000000 at 0%"
    assert faint["links"] == ["http://elsewhere.example"]
