"""Solutions with one step left out."""

from __future__ import annotations

import pytest

from pipelines.terminal.commands.options import without_each_option
from pipelines.terminal.commands.partials import partial_scripts


def test_each_branch_alone_is_a_partial_solution() -> None:
    partials = partial_scripts('if [ -n "$a" ]; then echo full; else echo empty; fi')
    assert {partial.strip() for partial in partials} == {"echo full", "echo empty"}


def test_a_find_without_its_conditions_is_a_partial_solution() -> None:
    assert partial_scripts("find . -name '*.log'") == ["find . "]


def test_a_substitution_that_finds_nothing_is_a_partial_solution() -> None:
    assert "sed 's/$^//g' a > b" in partial_scripts("sed 's/ \\+/\\t/g' a > b")
    assert "find . -exec sed -i 's/$^//' {} +" in partial_scripts("find . -exec sed -i 's/x/y/' {} +")


@pytest.mark.parametrize(
    ("script", "without"),
    [
        ("sort -k2 -n a", ["sort -n a", "sort -k2 a"]),
        ("sort -nr a", ["sort -r a", "sort -n a"]),
        ("rsync -a --exclude='x' a b", ["rsync -a a b"]),
        ("grep -i x a", []),
    ],
)
def test_an_order_or_an_exclusion_that_makes_no_difference_is_not_tested(script: str, without: list[str]) -> None:
    assert sorted(without_each_option(script)) == sorted(without)


def test_a_guard_is_no_step() -> None:
    assert partial_scripts('[ -f "$1" ] || exit 1\nwc -l "$1"') == ['[ -f "$1" ] || exit 1\n']
