"""Other scenes of the same shape."""

from __future__ import annotations

import re

import pytest

from crucible.domains.terminal.crontabs import read_crontab
from crucible.domains.terminal.scenes import Entry, Scene
from pipelines.terminal.scenes.starts import keep_sorted
from pipelines.terminal.scenes.varying import Variation, vary_scene
from pipelines.terminal.scenes.workspace import kept_tokens


@pytest.mark.parametrize("seed", range(1, 7))
def test_different_words_become_different_words(seed: int) -> None:
    others = Variation(frozenset(), seed).vary_words("one two three first second third north south").split()
    assert len(set(others)) == 8


def test_words_stay_that_have_a_part_which_is_sought() -> None:
    scene = Scene(entries={"a.txt": Entry(text="This game\nToday sunny\nYou are\n")})
    assert {"This"} <= kept_tokens("awk '/is/ {print}' a.txt", scene)
    assert not {"game", "Today"} & kept_tokens("awk '/is/ {print}' a.txt", scene)


def test_what_was_sorted_is_sorted_again_below_its_heading() -> None:
    scene = Scene(entries={"a": Entry(text="name\nAnn\nBob\n"), "b": Entry(text="z\nb\na\n")})
    other = Scene(entries={"a": Entry(text="name\nTom\nEve\n"), "c": Entry(text="q\nx\np\n")})
    assert [entry.text for entry in keep_sorted(scene, other).entries.values()] == ["name\nEve\nTom\n", "q\nx\np\n"]


def test_columns_stay_where_they_are() -> None:
    text = "1.3  rs   90  amber\n"
    varied = Variation(frozenset(), 1, same_length=True).vary_words(text)
    assert varied != text
    assert [place for place, sign in enumerate(varied) if sign == " "] == [
        place for place, sign in enumerate(text) if sign == " "
    ]


def test_sizes_times_and_numbers_stay_such() -> None:
    scene = Scene(entries={"a.txt": Entry(text="104K power\n3m20.5s\n2.3e4\n")})
    [varied] = vary_scene(scene, frozenset(), seed=1).entries.values()
    forms = (r"\d{3}K \w+", r"\dm\d\d\.\ds", r"\d\.\de\d")
    assert all(any(re.fullmatch(form, line) for form in forms) for line in varied.text.splitlines())


def test_another_table_of_cron_is_one_too() -> None:
    table = "# jobs\n15 3 * * 1-5 /opt/a.sh ana\n*/10 * * * * /opt/b.sh\n"
    [varied] = vary_scene(Scene(entries={"crontab.txt": Entry(text=table)}), frozenset(), seed=1).entries.values()
    assert len(read_crontab(varied.text).jobs) == 2
    assert varied.text != table
