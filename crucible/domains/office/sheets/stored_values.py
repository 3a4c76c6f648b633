"""Values that a file claims its formulas came to, against what they come to."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from crucible.domains.office.sheets.comparing import are_same, show
from crucible.domains.office.sheets.references import find_dependents, find_unforeseeable, list_calls
from crucible.domains.office.sheets.regression import Book
from crucible.domains.office.sheets.workbook import ErrorValue, Place, read_functions


def list_forged(made: Book, given: Book | None) -> Iterator[str]:
    """Each stored value that is not what its formula comes to, in words. One that was given so may stay; an error that
    only our engines come to is no evidence."""
    differing = [place for place in made.list_places() if not _was_given(place, made, given) and _is_other(place, made)]
    excused = find_excused(made, differing) if differing else set()
    for place in differing:
        if place not in excused:
            value = made.values.get(place.sheet, {}).get(place.cell)
            yield f"{place} says {show(made.file.cell(place).stored)} and comes to {show(value)}"


def _was_given(place: Place, made: Book, given: Book | None) -> bool:
    return given is not None and given.file.cell(place)[:2] == made.file.cell(place)[:2]


def _is_other(place: Place, made: Book) -> bool:
    cell, value = made.file.cell(place), made.values.get(place.sheet, {}).get(place.cell)
    if not cell.formula or cell.stored is None or isinstance(value, ErrorValue):
        return False
    return not are_same(value, cell.stored)


def find_excused(book: Book, differing: Collection[Place]) -> set[Place]:
    """Of cells that differ from what was stored those that say nothing: their value comes from elsewhere or is another
    one each time, or programs are known to disagree about a function; and all that depend on them."""
    disputed = set(read_functions()["differs"])
    starts = [place for place in differing if list_calls(book.file.cell(place)) & disputed]
    return find_unforeseeable(book.file) | find_dependents(book.file, starts)
