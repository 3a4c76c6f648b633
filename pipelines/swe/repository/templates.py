"""Pull request templates: what a project asks whoever opens one to fill in, cut out of what was written. Pure.

Comments that nobody was meant to see, boxes to be ticked, and headings under which nothing was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

COMMENT = re.compile(r"^[ \t]*<!--.*?-->", re.MULTILINE | re.DOTALL)  # matches: <!-- Please describe your change -->
FENCED = re.compile(r"(^(?:```|~~~).*?^(?:```|~~~)[ \t]*$)", re.MULTILINE | re.DOTALL)
# matches: ```python\nprint(1)\n```
BOX = re.compile(r"\s*[*-] \[([ xX])\]\s*(.*)")  # matches: - [x] I have added tests
HEADING = re.compile(r"#{2,6} .*")  # matches: ## Checklist
CHECKLIST = re.compile(r"(?i)\bcheck ?list\b|\bcheck(?:ed)? the (?:boxes|following)\b")
# matches in: ## Checklist  I have checked the following:
NEW_PARAGRAPH = re.compile(r"\s*$|#{2,6} |\s*[*-] ")
"""A line that does not go on with the one before it."""
# matches the start of: ## Why  - another entry


def cut_template(text: str) -> str:
    """The text without the comments and boxes of a template. What is set off as code stays as it is."""
    parts = FENCED.split(text)
    return "".join(
        part if index % 2 else "\n".join(_without_boxes(COMMENT.sub("", part).split("\n")))
        for index, part in enumerate(parts)
    )


def _without_boxes(lines: Sequence[str]) -> Iterator[str]:
    """The lines without the boxes of a list in which one was left open, or which says that it is to be ticked off:
    whatever was ticked there was a choice among what the template offers."""
    line_above = ""
    for is_list, group in groupby(_paragraphs(lines), key=lambda paragraph: bool(BOX.match(paragraph[0]))):
        paragraphs = list(group)
        is_open = any((box := BOX.match(paragraph[0])) and box[1] == " " for paragraph in paragraphs)
        if not (is_list and (is_open or CHECKLIST.search(line_above))):
            yield from (line for paragraph in paragraphs for line in paragraph)
            starts = [paragraph[0] for paragraph in paragraphs if paragraph[0].strip()]
            line_above = starts[-1] if starts else line_above


def _paragraphs(lines: Sequence[str]) -> Iterator[list[str]]:
    """Each box with the lines that go on with it; any other line alone."""
    start = 0
    while start < len(lines):
        end = start + 1
        while BOX.match(lines[start]) and end < len(lines) and not NEW_PARAGRAPH.match(lines[end]):
            end += 1
        yield list(lines[start:end])
        start = end


def drop_empty_headings(lines: Sequence[str]) -> Iterator[str]:
    """The lines without headings under which there is nothing."""
    for index, line in enumerate(lines):
        below = next((later for later in lines[index + 1 :] if later.strip()), "")
        if not HEADING.match(line) or not _is_empty(line, below):
            yield line


def _is_empty(heading: str, below: str) -> bool:
    """Whether the next thing below a heading is the end or a heading that is not beneath it."""
    depth = len(heading) - len(heading.lstrip("#"))
    return not below or (bool(HEADING.match(below)) and len(below) - len(below.lstrip("#")) <= depth)
