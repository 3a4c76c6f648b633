"""Rows of a table of cases, as copies of its test leave them out.

An assertion on rows cannot be turned round for one of them. Were the others left in all copies, the right value of a
row would be the one that most copies have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from crucible.domains.code.twins import Twin
from verifiers.twins.copies.text import Edit

Span = tuple[int, int]
"""Where a row begins and ends, in characters."""
COMMA = re.compile(r"\s*,")


def pick_rows(text: str, tables: Sequence[Sequence[Span]], twins: Sequence[Twin]) -> dict[int, Edit]:
    """What takes the row of each place out of the smallest of these tables that has rows with most of the places, by
    where the place begins. Nothing where no table has two rows with places."""
    found = [{twin.start: row for twin in twins for row in table if _holds(row, twin)} for table in tables]
    many = [rows for rows in found if len({*rows.values()}) > 1]
    if not many:
        return {}
    best = max(many, key=lambda rows: (len(rows), -_measure(rows)))
    return {start: _take_out(text, row) for start, row in best.items()}


def _holds(row: Span, twin: Twin) -> bool:
    return row[0] <= twin.start and twin.end <= row[1]


def _measure(rows: dict[int, Span]) -> int:
    return sum(end - start for start, end in {*rows.values()})


def _take_out(text: str, row: Span) -> Edit:
    """A row and the comma behind it."""
    comma = COMMA.match(text, row[1])
    return Edit(row[0], comma.end() if comma else row[1], "")
