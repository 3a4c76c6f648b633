"""A place in a test file and what may stand there instead: what each language's reader of tests yields."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

VALUE, ENCLOSED, NEAR_VALUE, REVERSAL, INVERSION = range(5)
"""How good an alteration is, best first: an expected value that is written out; one that is not, put into a list; a
value that the expected one is computed from, with which it may not be made at all (`date(2020, 1, 0)`); a condition
turned round, which an object equal to everything may fail for its own reasons, and code that returns what it finds on
the other side of `==`; a failing statement in a test that has no assertion."""


class Place(NamedTuple):
    """One alteration of one text."""

    start: int
    end: int
    text: str
    test: str
    rank: int


class Draft(NamedTuple):
    """A text whose places are looked for, with the randomness that belongs to it."""

    path: str
    text: str
    random: Random
