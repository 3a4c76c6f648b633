"""What nobody has shown is invented so that the commands find what they look for."""

from __future__ import annotations

import pytest

from crucible.domains.terminal.archives import list_members
from crucible.domains.terminal.scenes import Effect, Entry, Scene, with_parents
from crucible.errors import Rejected
from pipelines.terminal.posts.examples import Shown
from pipelines.terminal.scenes.invented_archives import invent_archive
from pipelines.terminal.scenes.workspace import add_missing, first_scene

NOTHING_SHOWN = Shown(files={}, expected="")


@pytest.mark.parametrize("name", ["a.tar.gz", "a.tgz", "a.tar", "a.tar.xz", "a.zip", "notes.txt.gz", "a.bz2", "a.xz"])
def test_an_archive_that_nobody_has_shown_can_be_opened_and_differs_with_the_seed(name: str) -> None:
    first, second = invent_archive(name, 1), invent_archive(name, 2)
    assert first is not None
    assert second is not None
    assert list_members(name, first)
    assert list_members(name, first) != list_members(name, second)


def test_an_invented_file_has_the_text_that_is_sought_in_it() -> None:
    script = "grep needle hay.txt"
    scene = add_missing(Scene(), script, "grep: hay.txt: No such file or directory", NOTHING_SHOWN)
    assert scene is not None
    lines = scene.entries["hay.txt"].text.splitlines()
    assert 0 < sum("needle" in line for line in lines) < len(lines)


def test_what_a_find_looks_for_by_name_is_there_and_something_else_too() -> None:
    paths = first_scene("find . -name .htaccess", NOTHING_SHOWN, {}).entries
    assert ".htaccess" in paths
    assert "other.txt" in paths


def test_what_is_removed_in_silence_is_there_first() -> None:
    assert "old/a.txt" in first_scene("rm -rf old", NOTHING_SHOWN, {}).entries


def test_folders_that_files_lie_in_are_no_change() -> None:
    scene = Scene(entries={"sub/deep/a.txt": Entry(text="a\n")})
    assert not Effect(code=0, entries=with_parents(scene.entries)).changed_entries(scene)


def test_a_pattern_of_names_has_several_files_and_one_beside_them() -> None:
    assert {"ABC.txt", "ABC.md", "ABC.csv"} <= first_scene("cp ABC.* new", NOTHING_SHOWN, {}).entries.keys()
    assert {"alpha.gif", "other.bak"} <= first_scene("rm *.gif", NOTHING_SHOWN, {}).entries.keys()


def test_a_link_that_is_replaced_is_there_first() -> None:
    assert first_scene("ln -sfn new/target current", NOTHING_SHOWN, {}).entries["current"].kind == "link"


def test_what_a_pattern_matches_is_in_an_invented_file() -> None:
    scene = add_missing(Scene(), "sed '/^#/d' a.txt", "sed: can't read a.txt: No such file or directory", NOTHING_SHOWN)
    assert scene is not None
    assert sum(line.startswith("#") for line in scene.entries["a.txt"].text.splitlines()) == 2


def test_a_folder_by_its_name_is_one() -> None:
    scene = add_missing(
        Scene(), "chmod 755 dir1", "chmod: cannot access 'dir1': No such file or directory", NOTHING_SHOWN
    )
    assert scene is not None
    assert "dir1/a.txt" in scene.entries


def test_a_program_that_nobody_shows_is_not_invented() -> None:
    with pytest.raises(Rejected, match="program_not_shown"):
        add_missing(Scene(), "bash loop.sh a.txt", "bash: loop.sh: No such file or directory", NOTHING_SHOWN)


def test_a_file_that_is_named_as_an_argument_is_there() -> None:
    assert "list.txt" in first_scene("set -- list.txt\nwc -l $1", NOTHING_SHOWN, {}).entries


def test_the_lines_that_are_added_to_a_table_are_no_commands() -> None:
    script = "cat crontab.txt - > crontab.new <<'END_OF_FILE'\n* * * * * /opt/*.sh\nEND_OF_FILE"
    assert first_scene(script, NOTHING_SHOWN, {}).entries == {}
