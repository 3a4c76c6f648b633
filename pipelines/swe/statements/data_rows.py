"""What a change adds to the data that its tests read: expected outputs, rows of fixtures, rows of tables. Pure.

Where no assertion is new, this is all that shows what is wanted; where some are, they may compare with it. A new line
of a table says little without its row: what is above it in the same bracket, and above that. How far lines are indented
tells which of them these are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from textwrap import dedent

from crucible.domains.code.languages import line_patterns
from crucible.domains.code.patches import changes
from pipelines.swe.statements.indented_tests import indent_of
from pipelines.swe.statements.patch_files import ChangedTests, PatchFile

MOST_DATA_LINES = 16
"""So many lines of data are shown."""
OUTPUT_LINE_CHARS = 160
"""A line of an output is cut to this length."""
GO_IMPORT = re.compile(r'"[\w./-]+"')
# matches a line by which Go imports a package: "net/http"
VALUE_LINE = re.compile(r"""(?!\s*['"]use )\s*[\[{('"`\d].*\w.*""")
# matches a line of code that is a value and no more: ['~1', '>=1.0.0-0'],
TABLE_LINES = 80
"""So many lines of tables are shown."""
TABLE_CHARS = 3000
"""The lines of tables that are shown are no longer together."""
SMALL_BRACKET_LINES = 12
"""What a new line stands in is shown whole where it has no more lines."""
CODE = re.compile(r"=>|\)\s*\{|\b(?:function|it|test|describe|if|for|while|return|class)\b\s*[(\w]|;\s*$")
# matches what no line of a table has: describe("match", () => {
TABLE_OPENING = re.compile(r"(?:=\s*|\beach\(\s*|^;?)\[\s*$|^\S.*=\s*(?:new \w+\()?\{\s*$")
# matches: export const CASES = [
FIELD = re.compile(r"""\s*(?:[\w$]+|"[^"]*"|'[^']*')\s*:\s*.*[^\s{\[(],?\s*$""")
# matches a field that says all in itself: options: { end: false },
GAP = "..."
"""What stands where lines of a table are left out."""


def changed_data(files: Iterable[PatchFile], *, with_rows: bool = True) -> list[str]:
    """What a patch changes in the data of tests: of an output, also what is taken away; rows that are added to code, if
    asked for. What several files say alike is told once."""
    shown: list[str] = []
    for file in files:
        if file.sort != "test" or (file.language and not with_rows):
            continue
        # A removed line that begins with `--` ends the file like a head would: the ids of tasks rest on it.
        changed = list(takewhile(lambda line: not line.startswith(("--- ", "diff ")), file.lines))
        rows = _value_rows(changed) if file.language else _output_lines(changed)
        fresh = [row for row in dict.fromkeys(rows) if row not in shown]
        if fresh and len(shown) < MOST_DATA_LINES:
            shown += fresh if file.language else [f"{file.path} (- before, + after)", *fresh]
    return shown[:MOST_DATA_LINES]


def _value_rows(lines: Sequence[str]) -> list[str]:
    """The added lines of code that are values."""
    added = [line[1:] for line in lines if line.startswith("+")]
    return [line.strip() for line in added if VALUE_LINE.fullmatch(line) and not GO_IMPORT.fullmatch(line.strip())]


def _output_lines(lines: Sequence[str]) -> list[str]:
    """The lines that are added to an output and taken away from it, with their signs."""
    changed = [line for line in lines if line.startswith(("+", "-")) and line[1:].strip()]
    return [f"{line[0]} {line[1:].rstrip()}"[:OUTPUT_LINE_CHARS] for line in changed]


def new_table_rows(tests: ChangedTests) -> str:
    """The rows that a change adds to tables its tests go through, each with what it stands under; empty where there are
    none."""
    files = [file for file in changes(tests.patch) if file.path in tests.sources and line_patterns(file.path)]
    rows = (
        _complete_rows(tests.sources[file.path].expandtabs(4).splitlines(), {number - 1 for number, _ in file.added})
        for file in files
    )
    return "\n".join(filter(None, rows))


def _complete_rows(lines: list[str], fresh: set[int]) -> str:
    """The rows that the fresh lines are in, as many whole ones as there is room for."""
    rows: dict[int, set[int]] = {}
    for place in sorted(fresh):
        openers = _table_openers(lines, place) if place < len(lines) and lines[place].strip() else None
        if openers is not None:
            rows.setdefault(openers[-1] if openers else place, set()).update(_row_lines(lines, place, openers))
    shown: set[int] = set()
    for row in rows.values():
        together = shown | row
        if len(together) <= TABLE_LINES and sum(len(lines[place]) for place in together) <= TABLE_CHARS:
            shown = together
    return dedent("\n".join(_mark_gaps(lines, sorted(shown))))


def _row_lines(lines: list[str], place: int, openers: list[int]) -> set[int]:
    """A line with the lines that open and close everything it is in, and their fields; the innermost whole where it is
    small."""
    innermost = _lines_inside(lines, openers[0]) if openers else range(0)
    row = {place, *(innermost if len(innermost) <= SMALL_BRACKET_LINES else ())}
    for opener in openers:
        inside = _lines_inside(lines, opener)
        depth = indent_of(lines[min(inside, default=opener)])
        fields = (inner for inner in inside if indent_of(lines[inner]) == depth and FIELD.match(lines[inner]))
        row |= {opener, inside.stop, *fields}
    return row


def _table_openers(lines: list[str], place: int) -> list[int] | None:
    """The lines that open what a line of a table is in, from the nearest outward; None where it is in no table."""
    if CODE.search(lines[place]):
        return None
    depth, openers = indent_of(lines[place]), list[int]()
    for above in range(place - 1, -1, -1):
        if not lines[above].strip() or indent_of(lines[above]) >= depth:
            continue
        if TABLE_OPENING.search(lines[above]):
            return openers
        if CODE.search(lines[above]):
            return None
        depth = indent_of(lines[above])
        openers.append(above)
    return None


def _lines_inside(lines: list[str], opener: int) -> range:
    """The lines between the one that opens a bracket and the one that closes it."""
    depth = indent_of(lines[opener])
    after = (
        place for place in range(opener + 1, len(lines)) if lines[place].strip() and indent_of(lines[place]) <= depth
    )
    return range(opener + 1, next(after, len(lines) - 1))


def _mark_gaps(lines: list[str], shown: list[int]) -> Iterator[str]:
    """The lines at these places, with a sign where some are left out."""
    for before, place in pairwise([-1, *shown]):
        if before >= 0 and place - before > 1:
            yield " " * indent_of(lines[place]) + GAP
        yield lines[place]
