"""Sections of a statement that tell how the change was made, or tested, cut out. Pure.

People write a problem, its cause and the fix under headings of their own; a solver is told the first. What a feature
consists of is often said under `Changes`, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from crucible.datafile import whole
from crucible.record import Record

HERE = Path(__file__).parent
HEADING = re.compile(
    r"^(?P<marks>#{1,6})[ \t]+(?P<hashed>.+?)[ \t:#]*$"
    r"|^\*\*(?P<bold>[^*\n]+?):?\*\*:?[ \t]*$|^(?P<plain>[A-Z][\w ]{2,40}):[ \t]*$"
)
BOLD, PLAIN = 7, 8
"""The ranks of headings that are no headings by their marks."""
FENCE = re.compile(r"^\s*(?:```|~~~)")
SENTENCE = r"(?:(?<=[.!?])[ \t\n]+|^)(?:{starts})\b(?:[^.!?\n]|\n(?!\n)|[.!?](?![\s]|$))*(?:[.!?](?=\s|$)|$)"


class Rules(Record):
    """`sections.toml`."""

    always: tuple[str, ...]
    fixes: tuple[str, ...]
    starts: tuple[str, ...]


@cache
def _rules() -> Rules:
    return whole(HERE / "sections.toml", Rules)


@cache
def _titles(is_fix: bool) -> re.Pattern[str]:
    rules = _rules()
    return re.compile("|".join((*rules.always, *(rules.fixes if is_fix else ()))), re.IGNORECASE)


def cut(text: str, *, is_fix: bool) -> str:
    """The statement without them. Its first line is its title and stays."""
    title, _, rest = text.partition("\n")
    kept = "\n".join(_outside(rest.split("\n"), is_fix))
    starts = "|".join(_rules().starts).replace(" ", r"\s+")
    kept = re.sub(SENTENCE.replace("{starts}", starts), "", kept, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", f"{title}\n{kept}").strip()


def _outside(lines: list[str], is_fix: bool) -> Iterator[str]:
    """The lines that are in no such section. One ends with the next heading of its rank; under a plain line, with its
    paragraph."""
    within, fenced = 0, False
    for place, line in enumerate(lines):
        heading = None if fenced else HEADING.match(line)
        fenced ^= bool(FENCE.match(line))
        if heading and (not within or _rank(heading) <= within):
            within = _rank(heading) if _titles(is_fix).fullmatch(_title(heading)) else 0
        elif within == PLAIN and not line.strip() and not HEADING.match(lines[place - 1]):
            within = 0
        if not within:
            yield line


def _rank(heading: re.Match[str]) -> int:
    return len(heading["marks"]) if heading["marks"] else BOLD if heading["bold"] else PLAIN


def _title(heading: re.Match[str]) -> str:
    """The words of a heading without signs before or after them."""
    return re.sub(r"^\W+|\W+$", "", heading["hashed"] or heading["bold"] or heading["plain"])
