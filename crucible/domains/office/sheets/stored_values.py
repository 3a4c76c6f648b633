"""Values that a file claims its formulas came to, against what they come to."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from crucible.domains.office.sheets.comparing import are_same, show
from crucible.domains.office.sheets.references import find_unforeseeable
from crucible.domains.office.sheets.regression import Book
from crucible.domains.office.sheets.workbook import ErrorValue, Place


def list_forged(made: Book, given: Book | None, known: Collection[Place]) -> Iterator[str]:
    """Each stored value that is not what its formula comes to, in words. One that was given so may stay; an error that
    only our engines come to is no evidence, and neither are known differences, nor values that come from elsewhere or
    are others each time."""
    differing = [place for place in made.list_places() if not _was_given(place, made, given) and _is_other(place, made)]
    moving = find_unforeseeable(made.file) if differing else set()
    for place in differing:
        if place not in known and place not in moving:
            value = made.values.get(place.sheet, {}).get(place.cell)
            yield f"{place} says {show(made.file.cell(place).stored)} and comes to {show(value)}"


def _was_given(place: Place, made: Book, given: Book | None) -> bool:
    return given is not None and given.file.cell(place)[:2] == made.file.cell(place)[:2]


def _is_other(place: Place, made: Book) -> bool:
    cell, value = made.file.cell(place), made.values.get(place.sheet, {}).get(place.cell)
    if not cell.formula or cell.stored is None or isinstance(value, ErrorValue):
        return False
    return not are_same(value, cell.stored)
