"""Commands that an answer gives no file read one."""

from __future__ import annotations

import pytest

from pipelines.terminal.commands.unfed import feed_filter


@pytest.mark.parametrize(
    ("script", "fed"),
    [
        ("awk '{print $2}'", "< data.txt awk '{print $2}'"),
        ("perl -ne 'print if /a/' | sort", "< data.txt perl -ne 'print if /a/' | sort"),
        ("sort -u", "< data.txt sort -u"),
        ("tr a-z A-Z", "< data.txt tr a-z A-Z"),
    ],
)
def test_a_filter_without_a_file_reads_one(script: str, fed: str) -> None:
    assert feed_filter(script, "data.txt") == fed


@pytest.mark.parametrize(
    "script",
    [
        "awk '{print $2}' sales.txt",
        "sort < sales.txt",
        "cat sales.txt | sort",
        "sort sales.txt",
        "awk -f sum.awk",
        "perl sum.pl",
        "grep -r needle",
        "(sort; sort) | uniq",
        "awk 'BEGIN {print 1}'",
    ],
)
def test_what_has_its_input_is_left_alone(script: str) -> None:
    assert feed_filter(script, "data.txt") == script
