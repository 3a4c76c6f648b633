"""What CONTRIBUTING.md shows is done here, word for word."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from agents.calls import use_tool
from crucible import parts
from crucible.running.run import open_run
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import open_services
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
    for kind in parts.FOLDERS:  # a folder is imported once: what it registers must not be forgotten too
        list(parts.every(kind))
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


SERVICE_IMPORTS = """
from __future__ import annotations
from contextlib import asynccontextmanager
from crucible.parts import service
from crucible.sandbox import Env
"""


@pytest.mark.usefixtures("forgotten_afterwards")
async def test_the_service_it_shows_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = read_code("Add a service.")
    assert len(code.splitlines()) <= 10
    (tmp_path / "syntax_of_mine.py").write_text(SERVICE_IMPORTS + code)
    monkeypatch.syspath_prepend(tmp_path)
    name = "syntax_of_mine:syntax"
    with open_run(Settings(home=tmp_path, docker=DockerSettings(pool=0))) as run:
        async with open_services(run) as services:
            is_script = await services.get(name)
            assert await is_script("echo fine")
            assert not await is_script("if then")
            assert services.identity(name).startswith("syntax v1 ")
