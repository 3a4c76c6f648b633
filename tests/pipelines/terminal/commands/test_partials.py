"""Solutions with one step left out."""

from __future__ import annotations

from pipelines.terminal.commands.partials import partial_scripts


def test_each_branch_alone_is_a_partial_solution() -> None:
    partials = partial_scripts('if [ -n "$a" ]; then echo full; else echo empty; fi')
    assert {partial.strip() for partial in partials} == {"echo full", "echo empty"}


def test_a_find_without_its_conditions_is_a_partial_solution() -> None:
    assert partial_scripts("find . -name '*.log'") == ["find . "]


def test_a_substitution_that_finds_nothing_is_a_partial_solution() -> None:
    assert "sed 's/$^//g' a > b" in partial_scripts("sed 's/ \\+/\\t/g' a > b")
    assert "find . -exec sed -i 's/$^//' {} +" in partial_scripts("find . -exec sed -i 's/x/y/' {} +")
