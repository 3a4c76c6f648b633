from __future__ import annotations

import os
from pathlib import Path

import pytest

from agents import tools
from agents.arguments import Edit, Read, Shell, Write
from tests.agents.directory import DirectoryBox


@pytest.fixture
def context(box: DirectoryBox) -> tools.ToolContext:
    return tools.ToolContext(box, "{output}|{code}", 30.0, lambda: 30.0)


async def test_both_streams_and_the_code_are_shown(context: tools.ToolContext) -> None:
    assert await tools.use_tool(context, Shell(command="printf out; echo err >&2; exit 3")) == "out\nerr|3"


async def test_output_with_braces_is_shown_as_it_is(context: tools.ToolContext) -> None:
    assert await tools.use_tool(context, Shell(command="echo '{code} {x}'")) == "{code} {x}|0"


async def test_long_output_keeps_both_ends_and_says_what_is_missing(context: tools.ToolContext) -> None:
    shown = await tools.use_tool(context, Shell(command="seq 20000"))
    assert shown.startswith("1\n2\n")
    assert "20000" in shown[-200:]
    assert "characters (" in shown
    assert len(shown) < tools.OBSERVATION_CHARACTERS + 500


async def test_drained_output_is_mentioned(context: tools.ToolContext) -> None:
    assert "more was printed and not kept" in await tools.use_tool(context, Shell(command="yes | head -c 600000"))


async def test_a_command_over_its_time_is_stopped(context: tools.ToolContext) -> None:
    assert "[stopped: it ran longer" in await tools.use_tool(context, Shell(command="sleep 20", timeout=0.3))


async def test_a_command_gets_no_more_time_than_is_left(box: DirectoryBox) -> None:
    context = tools.ToolContext(box, "{output}", 30.0, lambda: 0.3)
    assert "[stopped" in await tools.use_tool(context, Shell(command="sleep 20", timeout=20))


async def test_nul_and_odd_bytes_never_reach_the_record(context: tools.ToolContext) -> None:
    shown = await tools.use_tool(context, Shell(command="printf 'a\\000b\\377\\355\\240\\200'"))
    assert shown.startswith("a␀b")
    shown.encode()


async def test_read_numbers_lines_and_takes_ranges(context: tools.ToolContext, repository: Path) -> None:
    (repository / "ten.txt").write_text("".join(f"line {n}\n" for n in range(1, 11)))
    assert await tools.use_tool(context, Read(path="ten.txt", first=9)) == "     9\tline 9\n    10\tline 10"
    assert await tools.use_tool(context, Read(path=str(repository / "ten.txt"), first=2, last=2)) == "     2\tline 2"
    assert "has 10 lines" in await tools.use_tool(context, Read(path="ten.txt", first=11))


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
async def test_read_says_what_is_wrong(context: tools.ToolContext, repository: Path, path: str, told: str) -> None:
    (repository / "blob").write_bytes(b"a\0b")
    (repository / "empty").touch()
    (repository / "-n").write_text("dash")
    (repository / "link").symlink_to("-n")
    (repository / "a 'quoted' $(name)").write_text("quoted")
    os.truncate(os.open(repository / "huge", os.O_CREAT | os.O_RDWR), tools.FILE_BYTES + 1)
    os.mkfifo(repository / "pipe")
    assert told in await tools.use_tool(context, Read(path=path))


async def test_write_makes_directories_and_keeps_the_mode_of_what_is_there(
    context: tools.ToolContext, repository: Path
) -> None:
    script = repository / "run.sh"
    script.write_text("old")
    script.chmod(0o755)
    await tools.use_tool(context, Write(path="run.sh", content="new"))
    await tools.use_tool(context, Write(path="deep/er/file", content="ü\n"))
    assert (script.read_text(), script.stat().st_mode & 0o777) == ("new", 0o755)
    assert (repository / "deep/er/file").read_text() == "ü\n"


async def test_write_through_what_is_no_directory_fails_with_a_reason(context: tools.ToolContext) -> None:
    assert "was not written" in await tools.use_tool(context, Write(path=".gitignore/x", content=""))


async def test_edit_replaces_the_one_place_and_nothing_else(context: tools.ToolContext, repository: Path) -> None:
    file = repository / "mixed.bin"
    file.write_bytes(b"one\r\n\xff\xfe two\r\n")
    shown = await tools.use_tool(context, Edit(path="mixed.bin", old="two", new="three"))
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
    context: tools.ToolContext, repository: Path, old: str, new: str, told: str
) -> None:
    before = (repository / "shelf/__init__.py").read_text()
    assert told in await tools.use_tool(context, Edit(path="shelf/__init__.py", old=old, new=new))
    assert (repository / "shelf/__init__.py").read_text() == before
