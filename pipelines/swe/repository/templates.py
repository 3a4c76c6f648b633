"""What a project asks whoever opens a pull request to fill in, taken out of what was said. Pure.

Remarks that nobody was meant to see, boxes to be ticked, and headings under which nothing was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

REMARK = re.compile(r"^[ \t]*<!--.*?-->", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"(^(?:```|~~~).*?^(?:```|~~~)[ \t]*$)", re.MULTILINE | re.DOTALL)
BOX = re.compile(r"\s*[*-] \[([ xX])\]\s*(.*)")
HEADING = re.compile(r"#{2,6} .*")
CHECKS = re.compile(r"(?i)\bcheck ?list\b|\bcheck(?:ed)? the (?:boxes|following)\b")
APART = re.compile(r"\s*$|#{2,6} |\s*[*-] ")
"""A line that does not go on with the one before it."""


def cut_template(text: str) -> str:
    """The text without remarks and boxes. What is set off as code stays as it is."""
    parts = FENCED.split(text)
    return "".join(part if at % 2 else "\n".join(_unticked(_open(part))) for at, part in enumerate(parts))


def _open(text: str) -> list[str]:
    return REMARK.sub("", text).split("\n")


def _unticked(lines: Sequence[str]) -> Iterator[str]:
    """The lines without the boxes of a list in which one was left open, or which says that it is to be ticked off:
    whatever was ticked there was a choice among what the form offers."""
    above = ""
    for is_list, group in groupby(_paragraphs(lines), key=lambda one: bool(BOX.match(one[0]))):
        found = list(group)
        is_open = any((box := BOX.match(one[0])) and box[1] == " " for one in found)
        if not (is_list and (is_open or CHECKS.search(above))):
            yield from (line for one in found for line in one)
            above = next((one[0] for one in reversed(found) if one[0].strip()), above)


def _paragraphs(lines: Sequence[str]) -> Iterator[list[str]]:
    """Each line with those that go on with it, where it is a box; else alone."""
    at = 0
    while at < len(lines):
        end = at + 1
        while BOX.match(lines[at]) and end < len(lines) and not APART.match(lines[end]):
            end += 1
        yield list(lines[at:end])
        at = end


def drop_empty_headings(lines: Sequence[str]) -> Iterator[str]:
    """The lines without headings under which there is nothing."""
    for at, line in enumerate(lines):
        below = next((one for one in lines[at + 1 :] if one.strip()), "")
        if not HEADING.match(line) or not _is_empty(line, below):
            yield line


def _is_empty(heading: str, below: str) -> bool:
    """Whether the next thing below a heading is the end or a heading that is not beneath it."""
    depth = len(heading) - len(heading.lstrip("#"))
    return not below or (bool(HEADING.match(below)) and len(below) - len(below.lstrip("#")) <= depth)
