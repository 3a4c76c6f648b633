"""Altered texts that cannot be told from right ones: where a test expects `"full"`, the `"new"` of another test.

A text with one letter changed gives an alteration away to code that reads what is expected of it and believes only
what it knows (`"aull"` is no phase of the moon).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from random import Random
from typing import NamedTuple

from crucible.domains.code.twins import Twin

QUOTES = "'\"`"
SHORTEST = 2
"""Of a text that is exchanged, in characters: a shorter one may be a single character to its compiler."""


class QuotedText(NamedTuple):
    """A text as its file writes it, and what it must have in common with one that takes its place."""

    text: str
    quotes: str
    """The quote before it and the language of its file."""


def exchange_texts(twins: Sequence[Twin], files: Mapping[str, str], seed: str) -> tuple[Twin, ...]:
    """The twins; those that alter an expected text put another expected text of these files there, if there is one."""
    found = {twin: _read_text(twin, files[twin.path]) for twin in twins if twin.is_value}
    known = sorted({quoted for quoted in found.values() if quoted})
    return tuple(_exchange_text(twin, found.get(twin), known, seed) for twin in twins)


def _exchange_text(twin: Twin, quoted: QuotedText | None, known: Sequence[QuotedText], seed: str) -> Twin:
    others = [other.text for other in known if quoted and other.quotes == quoted.quotes and other.text != quoted.text]
    if not others:
        return twin
    chosen = Random(f"{seed}:{twin.path}:{twin.start}").choice(others)
    return twin.model_copy(update={"text": chosen})


def _read_text(twin: Twin, file: str) -> QuotedText | None:
    """The text that is altered, in its quotes or within them; None where it is something else."""
    text, language = file[twin.start : twin.end], PurePosixPath(twin.path).suffix
    around = file[twin.start - 1 : twin.start], file[twin.end : twin.end + 1]
    if len(text) >= SHORTEST and around[0] == around[1] and around[0] in tuple(QUOTES):
        return QuotedText(text, around[0] + language)
    if len(text) >= SHORTEST + 2 and text[0] == text[-1] and text[0] in QUOTES and text[0] not in text[1:-1]:
        return QuotedText(text, text[0] + language)
    return None
