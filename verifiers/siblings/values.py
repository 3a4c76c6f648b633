"""Alters single values that a test hands to the code under test, all of them in one way, so that what belongs together
stays so: numbers keep their order and letters their classes; equal ones stay equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TypeVar

from crucible.domains.code.siblings import Kind

NUMBER = re.compile(r"\d+")
SEPARATOR = re.compile(r"[^\w\s]|\s")
# matches the first of: ", " "-" "\n"
LARGEST = 1000
"""Larger numbers are only doubled."""

Member = TypeVar("Member")


class ValueAlterer:
    """Alters numbers, texts and lists in one way; or one value alone, wherever it stands."""

    def __init__(self, kind: Kind, random: Random, alone: int | float | str | None = None) -> None:
        self._kind = kind
        self._alone = alone
        self._alter_whole = _choose_numbers(kind, random)
        self._letters = _permute_letters(random) if kind == "letters" else {}
        self._rare = _exchange_letter(random) if kind == "near" else {}
        self._altered: list[int | float | str] = []

    def pick_altered(self, random: Random) -> int | float | str | None:
        """One of the values that were altered; None where there were none."""
        return random.choice(self._altered) if self._altered else None

    def alter_number(self, number: int | float) -> int | float:
        """Another number. Nought and one mean something of their own, a number between them does not."""
        other = self._write_number(number) if self._is_meant(number) else number
        self._altered += [number] if other != number else []
        return other

    def alter_text(self, text: str) -> str:
        """Another text."""
        other = self._write_text(text) if self._is_meant(text) else text
        self._altered += [text] if other != text else []
        return other

    def _write_number(self, number: int | float) -> int | float:
        if isinstance(number, int) or not number < 1e15:
            return self._alter_whole(number) if isinstance(number, int) else number
        whole = max(int(number), 2) if number % 1 else int(number)
        return self._alter_whole(whole) - whole + number

    def _write_text(self, text: str) -> str:
        if self._kind == "order":
            return _turn_words(text)
        if self._kind == "letters":
            return "".join(self._letters.get(char, char) for char in text)
        if NUMBER.search(text):
            return NUMBER.sub(lambda found: str(self._alter_whole(int(found[0]))), text)
        if self._kind == "larger":
            return _double_text(text)
        return "".join(self._rare.get(char, char) for char in text)

    def rearrange(self, members: Sequence[Member]) -> list[Member]:
        """The members of a list in another order, or more often."""
        if self._alone is not None:
            return [*members]
        if self._kind == "order":
            return [*members[1:], members[0]]
        return [*members, *members] if self._kind == "larger" else [*members]

    def _is_meant(self, value: int | float | str) -> bool:
        return self._alone is None or (type(value), value) == (type(self._alone), self._alone)


def _choose_numbers(kind: Kind, random: Random) -> Callable[[int], int]:
    """How numbers are altered: nought and one stay what they are, for they mean something of their own."""
    more, times, left = random.randint(1, 3), random.choice((7, 13, 40, 250)), random.randint(1, 6)
    if kind == "near":
        return lambda number: number + more if number > 1 else number
    if kind == "larger":
        return lambda number: number * (times if number < LARGEST else 2) + left if number > 1 else number
    return lambda number: number


def _permute_letters(random: Random) -> dict[str, str]:
    """Each letter and figure for another one, small ones for small ones; nought stays."""
    table: dict[str, str] = {}
    order = random.sample(range(26), 26)
    for letters in (ascii_lowercase, ascii_uppercase):
        table |= {letter: letters[order[at]] for at, letter in enumerate(letters)}
    return table | dict(zip(digits[1:], random.sample(digits[1:], 9), strict=True))


def _exchange_letter(random: Random) -> dict[str, str]:
    """A few letters for their neighbours."""
    step = random.choice((1, 2, 3))
    chosen = set(random.sample(range(26), 8))
    pairs = [(letters, at) for letters in (ascii_lowercase, ascii_uppercase) for at in sorted(chosen)]
    return {letters[at]: letters[(at + step) % 26] for letters, at in pairs}


def _turn_words(text: str) -> str:
    """The parts of a text between its first separator, the last ones first."""
    found = SEPARATOR.search(text.strip())
    return found[0].join(reversed(text.split(found[0]))) if found else text


def _double_text(text: str) -> str:
    """The text twice, with its first separator between."""
    found = SEPARATOR.search(text.strip())
    return f"{text}{found[0] if found else ''}{text}"
