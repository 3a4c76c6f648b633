"""What is demanded of a script's output follows from the commands of the reference."""

from __future__ import annotations

import pytest

from crucible.domains.terminal.comparing import Case
from crucible.domains.terminal.scenes import Effect, Entry, Scene
from crucible.errors import Rejected
from pipelines.terminal.drafting.demands import (
    check_shown_result,
    comes_unordered,
    gives_answered_output,
    says_one_thing,
)
from pipelines.terminal.posts.examples import FILE_NAME, Shown

FILES = {"a.txt": "1\n"}


@pytest.mark.parametrize(
    ("script", "unordered"),
    [
        ("find . -name '*.php' | xargs wc -l", True),
        ("zip -r all.zip folder", True),
        ("tar -czvf all.tgz .", True),
        ("grep -r text .", True),
        ("find . -type f | xargs cat | sort", False),
        ("find . -type f | wc -l", False),
        ("tar -xzf all.tgz", False),
        ("zip all.zip a.txt", False),
        ("awk '{a[$1]} END {for (k in a) print k}' a.txt", True),
        ('awk \'{a[$1]} END {PROCINFO["sorted_in"] = "@ind_num_asc"; for (k in a) print k}\' a.txt', False),
    ],
)
def test_lines_in_the_order_of_the_file_system_may_come_in_any_order(script: str, unordered: bool) -> None:
    assert comes_unordered(script) == unordered


def test_an_abbreviation_is_no_name_of_a_file() -> None:
    assert FILE_NAME.findall("E.g. in data.csv, i.e. there") == ["data.csv"]


def printed(text: str) -> Case:
    entries = {"a.txt": Entry(text="1\n")}
    return Case(scene=Scene(entries=entries), expected=Effect(code=0, entries=entries, out=text))


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("a   b\n\nc", "a b\nc\n"),
        ('["a b", 1]', '[\n  "a b",\n  1\n]\n'),
        ("1\n...\n9", "1\n2\n3\n9\n"),
        ("1\n...\n9", "1\n...\n9\n"),
    ],
)
def test_a_result_agrees_that_is_the_same_to_a_reader(wanted: str, found: str) -> None:
    assert check_shown_result(Shown(FILES, wanted), printed(found))


@pytest.mark.parametrize(
    ("wanted", "found"), [("a b", "ab\n"), ("[1]", "1\n"), ("1\n...\n9", "1\n2\n3\n"), ("...\n9", "1\n9\n")]
)
def test_another_result_is_a_drop(wanted: str, found: str) -> None:
    with pytest.raises(Rejected, match="shown_result_differs"):
        check_shown_result(Shown(FILES, wanted), printed(found))


def test_what_an_answer_shows_counts_only_in_the_folder_of_the_question() -> None:
    assert gives_answered_output(Shown(FILES, ""), "x  y", printed("x y\n"))
    assert not gives_answered_output(Shown({}, ""), "x y", printed("x y\n"))
    assert not gives_answered_output(Shown(FILES, ""), "", printed(""))


def test_the_same_line_again_and_again_says_one_thing() -> None:
    assert says_one_thing([printed("3\n3\n"), printed("3\n3\n3\n")])
    assert not says_one_thing([printed("3\n3\n"), printed("4\n4\n")])
    assert not says_one_thing([printed("yes\n"), printed("yes\n")])
