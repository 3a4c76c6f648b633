from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import pytest

from agents.calls import use_tool
from agents.loop import loop
from crucible import parts
from crucible.acting import Reply, Stops
from crucible.errors import SettingsError
from crucible.model import Agent, Task
from crucible.record import Json, Record
from crucible.tooling import FILE_BYTES, OBSERVATION_CHARACTERS, Shown, ToolContext, arguments_record, arguments_schema
from tests.agents.directory import DirectoryBox
from tests.agents.playing import PreparedTeacher, call


async def use(context: ToolContext, tool: str, **arguments: Json) -> str:
    """What the tool of that name shows."""
    record = arguments_record(parts.find("tool", tool).make)
    return (await use_tool(tool, context, record.model_validate(arguments))).text


@pytest.fixture
def context(box: DirectoryBox) -> ToolContext:
    return ToolContext(box, "{output}|{code}", 30.0, lambda: 30.0)


async def test_both_streams_and_the_code_are_shown(context: ToolContext) -> None:
    assert await use(context, "shell", command="printf out; echo err >&2; exit 3") == "out\nerr|3"


async def test_output_with_braces_is_shown_as_it_is(context: ToolContext) -> None:
    assert await use(context, "shell", command="echo '{code} {x}'") == "{code} {x}|0"


async def test_long_output_keeps_both_ends_and_says_what_is_missing(context: ToolContext) -> None:
    shown = await use(context, "shell", command="seq 20000")
    assert shown.startswith("1\n2\n")
    assert "20000" in shown[-200:]
    assert "characters (" in shown
    assert len(shown) < OBSERVATION_CHARACTERS + 500


async def test_drained_output_is_mentioned(context: ToolContext) -> None:
    assert "more was printed and not kept" in await use(context, "shell", command="yes | head -c 600000")


async def test_a_command_over_its_time_is_stopped(context: ToolContext) -> None:
    assert "[stopped: it ran longer" in await use(context, "shell", command="sleep 20", timeout=0.3)


async def test_a_command_gets_no_more_time_than_is_left(box: DirectoryBox) -> None:
    context = ToolContext(box, "{output}", 30.0, lambda: 0.3)
    assert "[stopped" in await use(context, "shell", command="sleep 20", timeout=20)


async def test_nul_and_odd_bytes_never_reach_the_record(context: ToolContext) -> None:
    shown = await use(context, "shell", command="printf 'a\\000b\\377\\355\\240\\200'")
    assert shown.startswith("a␀b")
    shown.encode()


async def test_read_numbers_lines_and_takes_ranges(context: ToolContext, repository: Path) -> None:
    (repository / "ten.txt").write_text("".join(f"line {n}\n" for n in range(1, 11)))
    assert await use(context, "read", path="ten.txt", first=9) == "     9\tline 9\n    10\tline 10"
    assert await use(context, "read", path=str(repository / "ten.txt"), first=2, last=2) == "     2\tline 2"
    assert "has 10 lines" in await use(context, "read", path="ten.txt", first=11)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("missing.txt", "does not exist"),
        ("shelf", "is a directory"),
        ("blob", "is a binary file of 3 bytes"),
        ("pipe", "is not a regular file"),
        ("/dev/zero", "is not a regular file"),
        ("empty", "is empty"),
        ("huge", "is larger than"),
        ("-n", "     1\tdash"),
        ("a 'quoted' $(name)", "     1\tquoted"),
        ("link", "     1\tdash"),
    ],
)
async def test_read_says_what_is_wrong(context: ToolContext, repository: Path, path: str, told: str) -> None:
    (repository / "blob").write_bytes(b"a\0b")
    (repository / "empty").touch()
    (repository / "-n").write_text("dash")
    (repository / "link").symlink_to("-n")
    (repository / "a 'quoted' $(name)").write_text("quoted")
    os.truncate(os.open(repository / "huge", os.O_CREAT | os.O_RDWR), FILE_BYTES + 1)
    os.mkfifo(repository / "pipe")
    assert told in await use(context, "read", path=path)


async def test_write_makes_directories_and_keeps_the_mode_of_what_is_there(
    context: ToolContext, repository: Path
) -> None:
    script = repository / "run.sh"
    script.write_text("old")
    script.chmod(0o755)
    await use(context, "write", path="run.sh", content="new")
    await use(context, "write", path="deep/er/file", content="ü\n")
    assert (script.read_text(), script.stat().st_mode & 0o777) == ("new", 0o755)
    assert (repository / "deep/er/file").read_text() == "ü\n"


async def test_write_through_what_is_no_directory_fails_with_a_reason(context: ToolContext) -> None:
    assert "was not written" in await use(context, "write", path=".gitignore/x", content="")


async def test_edit_replaces_the_one_place_and_nothing_else(context: ToolContext, repository: Path) -> None:
    file = repository / "mixed.bin"
    file.write_bytes(b"one\r\n\xff\xfe two\r\n")
    shown = await use(context, "edit", path="mixed.bin", old="two", new="three")
    assert shown == "replaced the text at line 2 of mixed.bin"
    assert file.read_bytes() == b"one\r\n\xff\xfe three\r\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("return a -  b", "x", "the nearest line is 2: 'return a - b'"),
        ("nothing like it at all", "x", "does not occur in shelf/__init__.py"),
        ("b", "x", "occurs 2 times in shelf/__init__.py, at lines 1, 2"),
        ("def add", "def add", "are the same"),
    ],
)
async def test_an_edit_that_does_not_fit_says_why_and_changes_nothing(
    context: ToolContext, repository: Path, old: str, new: str, told: str
) -> None:
    before = (repository / "shelf/__init__.py").read_text()
    assert told in await use(context, "edit", path="shelf/__init__.py", old=old, new=new)
    assert (repository / "shelf/__init__.py").read_text() == before


async def test_submit_ends_the_attempt_with_its_answer(context: ToolContext) -> None:
    record = arguments_record(parts.find("tool", "submit").make)
    answered, silent = record.model_validate({"answer": "42"}), record()
    assert await use_tool("submit", context, answered) == Shown("Submitted.", answer="42")
    assert (await use_tool("submit", context, silent)).answer == ""


class Shelf(Record):
    """A place for books."""

    row: int
    names: tuple[str, ...] = ()


class SortArguments(Record):
    """What the tool below takes."""

    shelf: Shelf
    """Where."""
    order: Literal["up", "down"] | None = None
    """Which way round."""


@parts.tool("tests.sort")
async def sort(context: ToolContext, arguments: SortArguments) -> str:
    """Sort a shelf."""
    return f"sorted row {arguments.shelf.row} {arguments.order}"


def test_the_schema_of_a_tool_comes_from_its_record_without_references() -> None:
    schemas, required = arguments_schema(arguments_record(sort))
    assert required == ("shelf",)
    assert schemas["order"] == {"type": "string", "description": "Which way round.", "enum": ["up", "down"]}
    assert schemas["shelf"]["description"] == "Where."
    assert schemas["shelf"]["properties"]["names"] == {"type": "array", "items": {"type": "string"}}
    assert "$ref" not in str(schemas)


@pytest.mark.parametrize("scaffold", ["native", "bash", "text"])
async def test_a_tool_of_somebody_else_is_added_to_a_scaffold_and_used(
    task: Task, box: DirectoryBox, scaffold: str
) -> None:
    block = '```call tests_sort\n{"shelf": {"row": 3}, "order": "up"}\n```'
    native = Reply(calls=(call("tests_sort", shelf={"row": 3}, order="up"),))
    teacher = PreparedTeacher(Reply(text=block) if scaffold == "text" else native)
    agent = Agent(scaffold=scaffold, teacher="said", tools=(f"{__name__}:sort",))
    trajectory, _ = await loop(task, box, agent, teacher, stops=Stops(steps=1))
    assert trajectory.steps[0].observations[0].content == "sorted row 3 up"
    added = next(tool for tool in trajectory.tools if tool.name == "tests_sort")
    assert (added.does, added.description) == (f"{__name__}:sort", "Sort a shelf.")


def test_a_tool_that_does_not_say_what_it_takes_is_named() -> None:
    async def careless(context, arguments):  # type: ignore[no-untyped-def]
        return ""

    with pytest.raises(SettingsError, match="careless does not say what it takes"):
        arguments_record(careless)


@pytest.mark.parametrize("part", [*parts.every("tool")], ids=lambda part: part.name)
def test_every_tool_has_a_schema_and_says_what_it_does(part: parts.Part) -> None:
    arguments_schema(arguments_record(part.make))
    assert part.summary
