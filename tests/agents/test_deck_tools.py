"""Decks through tools, shape by shape: made, read, changed and laid out; a wrong call says what there is."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from agents.calls import use_tool
from crucible import parts
from crucible.record import Json
from crucible.tooling import ToolContext, ToolFault, arguments_record
from tests.agents.directory import DirectoryBox


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ToolContext:
    """The box's Python is ours, which has the office libraries too."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    return ToolContext(DirectoryBox(tmp_path), "{output}", 60.0, lambda: 60.0)


async def use(context: ToolContext, tool: str, **arguments: Json) -> str:
    record = arguments_record(parts.find("tool", tool).make)
    return (await use_tool(tool, context, record.model_validate({"path": "talk.pptx", **arguments}))).text


def open_talk(tmp_path: Path) -> Any:
    return Presentation(str(tmp_path / "talk.pptx"))


async def test_a_deck_is_made_and_changed_by_structured_operations(context: ToolContext, tmp_path: Path) -> None:
    assert "2 (Title 1)" in await use(context, "add_slide", layout="Title and Content")
    await use(context, "set_text", slide=1, shape=2, paragraphs=["Visits"])
    await use(context, "set_text", slide=1, shape=3, paragraphs=["More than before", "Saturday is busiest"])
    await use(context, "place_shape", slide=1, shape=3, top=150, height=100)
    await use(context, "write_notes", slide=1, text="Pause here.")
    chart = {"slide": 1, "categories": ["North", "South"], "left": 60, "top": 260, "width": 400, "height": 200}
    added = await use(context, "set_chart_data", series={"Visits": [3, 4]}, **chart)
    number = int(added.split()[1])
    await use(context, "set_chart_data", shape=number, series={"Visits": [5, 6]}, **chart)
    assert "Saturday is busiest" in await use(context, "read_shape", slide=1, shape=3)
    assert "'Visits'" in await use(context, "list_slides")
    slide = open_talk(tmp_path).slides[0]
    assert [shape.text_frame.text for shape in slide.placeholders] == [
        "Visits",
        "More than before\nSaturday is busiest",
    ]
    assert list(slide.shapes[-1].chart.plots[0].series[0].values) == [5, 6]
    assert slide.notes_slide.notes_text_frame.text == "Pause here."


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("read_shape", {"slide": 9, "shape": 2}, "there is no slide 9; there are 1"),
        ("read_shape", {"slide": 1, "shape": 77}, "no shape 77; it has: 2"),
        ("add_slide", {"layout": "Fancy"}, "no layout 'Fancy'; there are: Title Slide"),
    ],
)
async def test_a_wrong_call_says_what_there_is(
    tool: str, arguments: dict[str, Json], why: str, context: ToolContext
) -> None:
    await use(context, "add_slide", layout="Title Slide")
    carry_out = parts.find("tool", tool).make
    told = arguments_record(carry_out).model_validate({"path": "talk.pptx", **arguments})
    with pytest.raises(ToolFault, match=why):
        await carry_out(context, told)
