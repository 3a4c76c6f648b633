"""A place in a test file and what may stand there instead: what each language's reader of tests yields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

SWAP, VALUE, ENCLOSED, NEAR_VALUE, REVERSAL, INVERSION = range(6)
"""How good an alteration is, best first: two values of an expected list exchanged, which leaves it as likely as it was;
an expected value that is written out; one that is not, put into a list, or a bound with its sign turned; a value that
the expected one is computed from, with which it may not be made at all (`date(2020, 1, 0)`); a condition turned round,
which an object equal to everything may fail for its own reasons, and code that returns what it finds on the other side
of `==`; a failing statement in a test that has no assertion."""


class Place(NamedTuple):
    """One alteration of one text."""

    start: int
    end: int
    text: str
    test: str
    rank: int


class Text(NamedTuple):
    """Where a text stands in a test, as it is written or within its quotes; or all that is handed to a function."""

    start: int
    end: int
    test: str
    handed_to: str = ""
    """The function, as it is written; empty for a text."""


class Draft(NamedTuple):
    """A text whose places are looked for, with the randomness that belongs to it."""

    path: str
    text: str
    random: Random


Value = TypeVar("Value")


def pick_expected(
    arguments: Sequence[Value], is_written_out: Callable[[Value], bool], has_call: Callable[[Value], bool]
) -> list[Value]:
    """What a helper that a test calls is told to expect: the last value that is written out, beside one that is
    computed (`same(parse("a=1"), "1")`) or another that is written out (`parses("a=1", "1")`). What is handed to the
    code under test must not be altered: right code may differ in what it makes of that."""
    written = [value for value in arguments if is_written_out(value)]
    return written[-1:] if len(written) > 1 or any(map(has_call, arguments)) else []
