"""A document as an outline: title, sections with their sentences, and tables. Markdown, or plain text whose headings
are short lines that stand alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

HEADING = re.compile(r"#{1,6}\s+(.*)")
# matches: "## Visits"
LONGEST_HEADING = 60
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜÉÈÀÁÍÓÚ¿¡\"«0-9])")
# splits after: "fell. The"
MARKS = re.compile(r"\*\*|__|`|^\s*(?:[-*+]|\d+[.)])\s+", re.MULTILINE)
# matches: "**", "- " at the start of a line
RULE_ROW = re.compile(r"\|?[\s:|-]+\|?")
# matches: "| --- | ---: |"


@dataclass
class Section:
    """One section of a document."""

    title: str
    sentences: list[str] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)
    """Each the rows of one, the header first."""


@dataclass
class Outline:
    """A whole document."""

    title: str
    sections: list[Section]


def read_outline(text: str) -> Outline | None:
    """The outline of a document; None where it has no title or no sections."""
    blocks = [block.strip("\n") for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")) if block.strip()]
    title, sections = "", list[Section]()
    for block in blocks:
        heading, rest = split_heading(block)
        if heading and not title:
            title = heading
        elif heading:
            sections.append(Section(heading))
        if rest and sections:
            add_block(sections[-1], rest)
    return Outline(title, sections) if title and sections else None


def split_heading(block: str) -> tuple[str, str]:
    """A heading that a block begins with, and what follows it; one of them may be empty."""
    first, _, rest = block.partition("\n")
    if marked := HEADING.fullmatch(first.strip()):
        return MARKS.sub("", marked[1]).strip(), rest
    alone = not rest and len(first) <= LONGEST_HEADING and first.strip()[-1] not in ".!?:;,|"
    return (first.strip(), "") if alone and not MARKS.match(first) else ("", block)


def add_block(section: Section, block: str) -> None:
    """A paragraph, list or table of a section."""
    if block.lstrip().startswith("|"):
        rows = [line for line in block.splitlines() if not RULE_ROW.fullmatch(line.strip())]
        section.tables.append([[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows])
        return
    listed = block.lstrip()[0] in "-*+"
    for paragraph in block.splitlines() if listed else [" ".join(block.split())]:
        plain = MARKS.sub("", paragraph).strip()
        section.sentences += [sentence for sentence in SENTENCE_END.split(plain) if sentence]
