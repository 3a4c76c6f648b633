"""Rows that a change adds to tables its tests go through, each with what it stands under. Pure.

A new line of a table says little without its row: what is above it in the same bracket, and above that. How far lines
are indented tells which of them these are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from textwrap import dedent

from crucible.domains.code.patches import changes
from pipelines.swe.statements.blocks import indent
from pipelines.swe.statements.languages import language_of

MOST_LINES, LONGEST, SMALL = 80, 3000, 12
CODE = re.compile(r"=>|\)\s*\{|\b(?:function|it|test|describe|if|for|while|return|class)\b\s*[(\w]|;\s*$")
"""What a line of a table has not."""
TABLE = re.compile(r"(?:=\s*|\beach\(\s*|^;?)\[\s*$|^\S.*=\s*(?:new \w+\()?\{\s*$")
"""What opens one."""
FIELD = re.compile(r"""\s*(?:[\w$]+|"[^"]*"|'[^']*')\s*:\s*.*[^\s{\[(],?\s*$""")
"""One that says all in itself."""
GAP = "..."


def shown(tests: Mapping[str, str], test_patch: str) -> str:
    """The new rows of all tables; empty where there are none."""
    files = [file for file in changes(test_patch) if file.path in tests and language_of(file.path)]
    found = (
        _rows(tests[file.path].expandtabs(4).splitlines(), {place - 1 for place, _ in file.added}) for file in files
    )
    return "\n".join(filter(None, found))


def _rows(lines: list[str], fresh: set[int]) -> str:
    """As many whole rows as there is room for."""
    rows: dict[int, set[int]] = {}
    for place in sorted(fresh):
        above = _above(lines, place) if place < len(lines) and lines[place].strip() else None
        if above is not None:
            rows.setdefault(above[-1] if above else place, set()).update(_row(lines, place, above))
    kept: set[int] = set()
    for row in rows.values():
        if len(kept | row) <= MOST_LINES and sum(len(lines[one]) for one in kept | row) <= LONGEST:
            kept |= row
    return dedent("\n".join(_joined(lines, sorted(kept))))


def _row(lines: list[str], place: int, above: list[int]) -> set[int]:
    """The line, and of everything it is in the line that opens it, the one that closes it, and its fields; the
    innermost whole where it is small."""
    inner = _inside(lines, above[0]) if above else range(0)
    kept = {place, *(inner if len(inner) <= SMALL else ())}
    for opener in above:
        depth = indent(lines[min(_inside(lines, opener), default=opener)])
        fields = (one for one in _inside(lines, opener) if indent(lines[one]) == depth and FIELD.match(lines[one]))
        kept |= {opener, _closer(lines, opener), *fields}
    return kept


def _above(lines: list[str], place: int) -> list[int] | None:
    """The lines that open what a line of a table is in, from the nearest outward; none where it is in no table."""
    depth, above = indent(lines[place]), list[int]()
    for one in range(place, -1, -1):
        if one != place and (not lines[one].strip() or indent(lines[one]) >= depth):
            continue
        if one != place and TABLE.search(lines[one]):
            return above
        if CODE.search(lines[one]):
            return None
        depth = indent(lines[one])
        above += [one] if one != place else []
    return None


def _inside(lines: list[str], opener: int) -> range:
    return range(opener + 1, _closer(lines, opener))


def _closer(lines: list[str], opener: int) -> int:
    depth = indent(lines[opener])
    after = (one for one in range(opener + 1, len(lines)) if lines[one].strip() and indent(lines[one]) <= depth)
    return next(after, len(lines) - 1)


def _joined(lines: list[str], kept: list[int]) -> Iterator[str]:
    """The lines, with a sign where some are left out."""
    for before, place in pairwise([-1, *kept]):
        if before >= 0 and place - before > 1:
            yield " " * indent(lines[place]) + GAP
        yield lines[place]
