"""Altered values that cannot be told from right ones: where a test expects `"full"`, the `"new"` of another test.

A text with one letter changed gives an alteration away to code that reads what is expected of it and believes only
what it knows (`"aull"` is no phase of the moon), and so does a number (no weight has a price of 453). A text of several
lines is broken elsewhere instead: it has the same words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePosixPath
from random import Random
from typing import NamedTuple

from crucible.domains.code.twins import Twin

QUOTES = "'\"`"
NUMBER = re.compile(r"\d[\d_]*(\.\d+)?")
# matches: 450  1_000  2.5
BREAKS = re.compile(r"(?<!\\)\\n| ")
# matches: the line end and the space of "aaaa\nbbbb cc", as a file writes it

PAIR = re.compile(r"(?<!\\)(?= [^\s\\]|[^\s\\] ).")
# matches: what a space changes places with, or the space itself, in "ab cd"


class Known(NamedTuple):
    """A value as its file writes it, and what it must have in common with one that takes its place."""

    text: str
    kind: str
    """For a text the quote before it, whether it is a single character (to some compilers that is no text), and the
    language of its file."""


def exchange_values(
    twins: Sequence[Twin], files: Mapping[str, str], seed: str, whole: Collection[Twin] = ()
) -> tuple[Twin, ...]:
    """The twins; those that alter an expected text put another expected text of these files there, if there is one, and
    those among `whole`, which alter all that is expected or a part of a list, another expected number."""
    found = {twin: _read_value(twin, files[twin.path], twin in whole) for twin in twins if twin.is_value}
    known = sorted({value for value in found.values() if value})
    return tuple(_exchange_value(twin, found.get(twin), known, seed) for twin in twins)


def _exchange_value(twin: Twin, value: Known | None, known: Sequence[Known], seed: str) -> Twin:
    others = [other.text for other in known if value and other.kind == value.kind and other.text != value.text]
    random = Random(f"{seed}:{twin.path}:{twin.start}")
    text = break_elsewhere(value.text) if value else ""
    if text or others:
        return twin.model_copy(update={"text": text or random.choice(others)})
    return twin


def break_elsewhere(text: str) -> str:
    """The same words with a line end where there was a space, and the other way round; empty where it has not both."""
    return BREAKS.sub(lambda found: " " if found[0] != " " else "\\n", text) if {*BREAKS.findall(text)} > {" "} else ""


def move_space(text: str, random: Random) -> str:
    """The same letters with a space on the other side of one of its neighbours; empty where it has none within."""
    pairs = [found.start() for found in PAIR.finditer(text, 1, len(text) - 1)]
    if not pairs:
        return ""
    at = random.choice(pairs)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def repeat_word(text: str, random: Random) -> str:
    """The same text with a word of signs alone said twice (`a / / b`): how often one stands there is easily taken for a
    matter of form. Empty where it has none between others."""
    words = text.split(" ")
    signs = [at for at in range(1, len(words) - 1) if words[at] and not any(sign.isalnum() for sign in words[at])]
    at = random.choice(signs) if signs else 0
    return " ".join([*words[: at + 1], *words[at:]]) if at else ""


def _read_value(twin: Twin, file: str, is_whole: bool) -> Known | None:
    """The text that is altered, in its quotes or within them, or the number; None where it is something else."""
    text, language = file[twin.start : twin.end], PurePosixPath(twin.path).suffix
    around = file[twin.start - 1 : twin.start], file[twin.end : twin.end + 1]
    if text and around[0] == around[1] and around[0] in tuple(QUOTES) and around[0] not in text:
        return Known(text, f"{around[0]}{len(text) == 1}{language}")
    if len(text) > 2 and text[0] == text[-1] and text[0] in QUOTES and text[0] not in text[1:-1]:
        return Known(text, f"{text[0]}{len(text) == 3}{language}")
    number = NUMBER.fullmatch(text) if is_whole else None
    return Known(text, f"number{bool(number[1])}{language}") if number else None
