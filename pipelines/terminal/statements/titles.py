"""Whether a title says what is told and seen, or more than that: then it would mislead, and is no goal."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from crucible.datafile import read_rows, read_words
from crucible.record import Record

TABLE = Path(__file__).with_name("titles.toml")
WORD = re.compile(r"[a-z][a-z'-]*[a-z]|[a-z]", re.IGNORECASE)  # matches: sub-folders, don't
QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|'[^']{1,30}'(?!\w)")  # matches: "foo", 'a b'
ENDINGS = ("s", "es", "ed", "ing", "ly", "'s")
STEM = 5
"""Words that begin with the same letters, so many of them, are held to be the same."""


class Meaning(Record):
    """Words that demand something, and how it is told."""

    words: tuple[str, ...]
    told: tuple[str, ...]


def unmet_words(title: str, told: str, seen: str) -> list[str]:
    """The words of a title that demand what is neither `told` nor `seen` in the commands and the folder."""
    lowered = f"{told}\n{seen}".lower()
    return [word for word in _demanding_words(title) if not _is_met(word, told, lowered)]


def _demanding_words(title: str) -> list[str]:
    plain = frozenset(read_words(TABLE, "plain"))
    quoted = [part.strip("`\"'").lower() for part in QUOTED.findall(title)]
    words = [word.lower().strip("'-") for word in WORD.findall(QUOTED.sub(" ", title))]
    parts = [part for word in words for part in (word.split("-") if word not in plain else [word])]
    return [*dict.fromkeys(part for part in parts if part and not _is_plain(part, plain)), *quoted]


def _is_plain(word: str, plain: frozenset[str]) -> bool:
    stems = {word, *(word.removesuffix(ending) for ending in ENDINGS)}
    return bool(plain & (stems | {f"{stem}e" for stem in stems}))


def _is_met(word: str, told: str, lowered: str) -> bool:
    rows = [row for row in _meanings() if word in row.words]
    if any(re.search(pattern, told, re.IGNORECASE) for row in rows for pattern in row.told):
        return True
    if rows:
        return False
    return word[:STEM] in lowered


@cache
def _meanings() -> tuple[Meaning, ...]:
    return read_rows(TABLE, "means", Meaning)
