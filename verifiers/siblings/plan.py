"""What siblings are made of a test: of which kinds, how many, and how they are called."""

from __future__ import annotations

from crucible.domains.code.siblings import Kind
from crucible.record import digest

SAME: Kind = "same"
KINDS: tuple[Kind, ...] = ("near", "larger", "letters", "order")
EACH = 4
"""How many of each kind are made of one test."""
ORDER: tuple[Kind, ...] = (*[SAME] * EACH, *KINDS * EACH)
MOST_TESTS = 8
"""Of how many tests of a task."""
RAISED = -1
"""The place of a note that the test was left by an exception."""
MARK = "asks_other_inputs"
"""Stands in the name of every sibling."""


def name_sibling(path: str, test: str, number: int, word: str = "test") -> str:
    """The name of a sibling; the word is what tests' names begin with."""
    return f"{word}_{MARK}_{digest(path, test)[:6]}_{number}"
