"""Blocks of an answer that say the same thing twice, or show a file beside."""

from __future__ import annotations

import pytest

from pipelines.terminal.selection.steps import first_of_alternatives


@pytest.mark.parametrize(
    ("block", "taken"),
    [
        ("cat a.txt\npaste -s a.txt", "paste -s a.txt"),
        ("sort a.txt > b.txt\ncat b.txt", "sort a.txt > b.txt"),
        (
            "i=1\nfor f in a b; do echo $i; done\ni=1\nwhile read x; do echo $i; done < a.txt",
            "i=1\nfor f in a b; do echo $i; done",
        ),
        ("cat a.txt", "cat a.txt"),
        ("cat a.txt\nwc -l b.txt", "cat a.txt\nwc -l b.txt"),
    ],
)
def test_what_shows_a_file_or_begins_anew_is_left_out(block: str, taken: str) -> None:
    assert first_of_alternatives(block).strip() == taken


def test_of_several_listings_by_one_command_the_first_is_taken() -> None:
    assert first_of_alternatives("find .\nfind home/ann") == "find ."
    both = "find a -delete\nfind b -delete"
    assert first_of_alternatives(both) == both
