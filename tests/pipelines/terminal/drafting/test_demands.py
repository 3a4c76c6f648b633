"""What is demanded of a script's output follows from the commands of the reference."""

from __future__ import annotations

import pytest

from pipelines.terminal.drafting.demands import comes_unordered
from pipelines.terminal.posts.examples import FILE_NAME


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
    ],
)
def test_lines_in_the_order_of_the_file_system_may_come_in_any_order(script: str, unordered: bool) -> None:
    assert comes_unordered(script) == unordered


def test_an_abbreviation_is_no_name_of_a_file() -> None:
    assert FILE_NAME.findall("E.g. in data.csv, i.e. there") == ["data.csv"]
