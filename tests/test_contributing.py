"""What CONTRIBUTING.md shows is done here, word for word."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from agents.calls import use_tool
from crucible import parts
from crucible.tooling import ToolContext, arguments_record
from tests.agents.directory import DirectoryBox

TEXT = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text()


def read_code(heading: str) -> str:
    """The first block of code beneath a heading."""
    section = TEXT.partition(f"**{heading}**")[2]
    block = re.search(r"(?:^    .*\n|^\n)+", section, re.MULTILINE)  # matches: lines that are indented by four
    assert block is not None
    return textwrap.dedent(block[0]).strip() + "\n"


@pytest.fixture
def forgotten_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is not there for the next one."""
    monkeypatch.setattr(parts, "_known", dict(parts._known))


@pytest.mark.usefixtures("forgotten_afterwards")
async def test_the_tool_it_shows_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = read_code("Add a tool.")
    assert len(code.splitlines()) <= 10
    imports = "from crucible.record import Record\nfrom crucible.parts import tool\nfrom crucible.tooling import *\n"
    (tmp_path / "lines_of_mine.py").write_text(imports + code)
    (tmp_path / "poem.txt").write_text("one\ntwo\n")
    monkeypatch.syspath_prepend(tmp_path)
    tool = parts.find("tool", "lines_of_mine:lines")
    context = ToolContext(DirectoryBox(tmp_path), "{output}", 30.0, lambda: 30.0)
    arguments = arguments_record(tool.make).model_validate({"path": "poem.txt"})
    assert (await use_tool("lines", context, arguments)).text == "2 lines"
    assert tool.summary == "Tell how many lines a file has."
