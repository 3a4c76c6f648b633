"""What siblings are made of a test: of which kinds, how many, and how they are called."""

from __future__ import annotations

from crucible.domains.code.siblings import Kind
from crucible.record import digest

SAME: Kind = "same"
KINDS: tuple[Kind, ...] = ("near", "larger", "letters", "order")
EACH = 4
"""How many of each kind are made of one test."""
ORDER: tuple[Kind, ...] = (*[SAME] * EACH, *KINDS * EACH)
ALONE = 8
"""How many more there are of the first kind, each with one value altered and the others as they were: what belongs
together by a rule, the parts of a date, is right no longer when all of it moves."""
PLAN: tuple[tuple[Kind, bool], ...] = (*((kind, False) for kind in ORDER), *[(KINDS[0], True)] * ALONE)
"""Of which kind each of them is, and whether one value alone is altered."""
ROWS = 3
"""So many times as many are made of a test with rows of parameters, of which each takes one: not every row tells right
code from the base."""
MOST_TESTS = 8
"""Of how many tests of a task."""
MARK = "asks_other_inputs"
"""Stands in the name of every sibling."""


def list_plan(has_rows: bool) -> tuple[tuple[Kind, bool], ...]:
    """What is made of a test."""
    return PLAN * ROWS if has_rows else PLAN


def name_sibling(path: str, test: str, number: int, word: str = "test") -> str:
    """The name of a sibling; the word is what tests' names begin with."""
    return f"{word}_{MARK}_{digest(path, test)[:6]}_{number}"
