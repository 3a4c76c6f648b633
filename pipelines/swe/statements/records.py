"""What a change says in the data that its tests read: expected outputs, and rows of fixtures. Pure.

Where no assertion is new, this is all that shows what is wanted; where some are, they may compare with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from pipelines.swe.paths import sort_of
from pipelines.swe.statements.languages import language_of

MOST_LINES, LONGEST = 16, 160
IMPORT = re.compile(r'"[\w./-]+"')
"""How a line of Go imports a package."""
ROW = re.compile(r"""(?!\s*['"]use )\s*[\[{('"`\d].*\w.*""")
"""A line of code that is a value, and no more."""


def shown(test_patch: str, *, rows: bool = True) -> list[str]:
    """Rows that are added to code, if asked for; of an output, also what is taken away. What several files say alike is
    told once."""
    told: list[str] = []
    changed = (one for one in _changed(test_patch) if rows or not language_of(one[0]))
    for path, group in groupby(changed, key=itemgetter(0)):
        read = _rows if language_of(path) else _output
        lines = read([line for _, line in group])
        fresh = [line for line in dict.fromkeys(lines) if line not in told]
        if fresh and len(told) < MOST_LINES:
            told += fresh if language_of(path) else [f"{path} (- before, + after)", *fresh]
    return told[:MOST_LINES]


def _rows(lines: Sequence[str]) -> list[str]:
    added = [line[1:] for line in lines if line[0] == "+"]
    return [line.strip() for line in added if ROW.fullmatch(line) and not IMPORT.fullmatch(line.strip())]


def _output(lines: Sequence[str]) -> list[str]:
    return [f"{line[0]} {line[1:].rstrip()}"[:LONGEST] for line in lines if line[1:].strip()]


def _changed(test_patch: str) -> Iterator[tuple[str, str]]:
    """Every line that is added or taken away, with its path. A file that goes says nothing."""
    path = ""
    for line in test_patch.splitlines():
        if line.startswith(("--- ", "diff ")):
            path = ""
        elif line.startswith("+++ "):
            path = line[6:].strip('"') if line[4:] != "/dev/null" and sort_of(line[6:].strip('"')) == "test" else ""
        elif path and line[:1] in ("+", "-"):
            yield path, line
