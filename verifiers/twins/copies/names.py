"""What copies of a test are called: as its neighbours are, so that no name tells a copy from a test."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# matches: each of the three in TestAddsTwo  test_adds_two  'test adds two'
COMMON = ("again", "empty", "first", "known", "large", "later", "other", "plain", "short", "single", "twice", "whole")
"""Words for files that have few of their own."""


def name_copies(own: str, others: Sequence[str], text: str, random: Random, taken: set[str]) -> Iterator[str]:
    """Names like this one, with a word of other tests' names (`others`) in it, that the text has nowhere, each `taken`
    from then on: `are_packed` and `are_unpacked` may both become `are_again`, and a file with two of one name does not
    compile."""
    words = sorted({word.lower() for name in others for word in WORD.findall(name) if len(word) > 2} | {*COMMON})
    random.shuffle(words)
    endings = [*([word] for word in words), *([random.choice(words), str(number)] for number in range(2, 1000))]
    for ending in endings:
        name = _put_words(own, ending, random)
        is_case = any(name.startswith(f"{other} ") and not own.startswith(f"{other} ") for other in others)
        if not (name in {own, *others, *taken} or name in text or is_case):
            taken.add(name)
            yield name


def _put_words(own: str, added: Sequence[str], random: Random) -> str:
    """The name with these words instead of one of its own that is not among the first; behind it where it has no more,
    joined as a name's parts are, and never by a space: `adds two` would be a case of `adds`."""
    parts = list(WORD.finditer(own))[1 if " " in own else 2 :]
    is_camel = re.fullmatch(r"[A-Za-z0-9]*[a-z][A-Z]\w*|[A-Z][a-z0-9]+", own) is not None
    put = "".join(word.capitalize() for word in added) if is_camel else "_".join(added)
    if not parts:
        return own + ("" if is_camel else "_") + put
    part = random.choice(parts)
    return own[: part.start()] + put + own[part.end() :]
