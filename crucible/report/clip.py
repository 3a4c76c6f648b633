"""Texts from outside made fit for a page: nothing in them acts, and what is too long says how much was left out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from crucible.running.terminal import escape_controls

LIMIT = 20_000
"""Characters of one text."""
PAGE = 1_500_000
"""Characters of one page's texts together; once they are used up, each text keeps its `FLOOR`."""
FLOOR = 300

_UNUSUAL = re.compile("[^\t\n -~]")
# matches: é, an escape character, whatever is not printable ASCII
_FENCE = re.compile(r"^ {0,3}```[^\n`]*$", re.MULTILINE)
# matches: ``` and ```python on lines of their own


@dataclass(frozen=True)
class Clipped:
    """A text, or its beginning and end."""

    head: str
    tail: str = ""
    left_out: int = 0
    """Characters between the two."""

    def __bool__(self) -> bool:
        return bool(self.head)

    @property
    def lines(self) -> int:
        return self.head.count("\n") + self.tail.count("\n") + 1


class Clipper:
    """Clips the texts of one page, which share its budget."""

    def __init__(self, page: int = PAGE) -> None:
        self._left = page

    def __call__(self, text: str, limit: int = LIMIT) -> Clipped:
        clipped = clip(text, max(min(limit, self._left), FLOOR))
        self._left -= len(clipped.head) + len(clipped.tail)
        return clipped


def clip(text: str, limit: int = LIMIT) -> Clipped:
    """The text, or two thirds of the limit from its beginning and the rest from its end."""
    if len(text) <= limit:
        return Clipped(make_visible(text))
    head, tail = text[: limit * 2 // 3], text[len(text) - limit // 3 :]
    return Clipped(make_visible(head), make_visible(tail), len(text) - len(head) - len(tail))


def split_fences(text: str) -> list[tuple[bool, str]]:
    """A text that may be Markdown, cut where fences of code begin and end: whether a piece is code, and the piece. A
    fence that nothing closes is code to the end of the text."""
    pieces = [(at % 2 == 1, piece.strip("\n")) for at, piece in enumerate(_FENCE.split(text))]
    return [(is_code, piece) for is_code, piece in pieces if piece]


def clip_line(text: str, limit: int = 160) -> str:
    """The beginning of a text as one line, for a cell of a table."""
    line = " ".join(text[: limit * 4].split())
    return make_visible(line if len(line) <= limit else f"{line[: limit - 1]}…")


def clip_name(text: str, limit: int = 300) -> str:
    """What something is called, everywhere the same, so that a filter finds it; nobody's name is a megabyte."""
    return make_visible(text if len(text) <= limit else f"{text[: limit - 1]}…")


def make_visible(text: str) -> str:
    """`escape_controls`, at the speed of a pattern for the plain texts that most are."""
    return escape_controls(text) if _UNUSUAL.search(text) else text
