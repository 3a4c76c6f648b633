"""Two engines, one value: where the office suite is wrong about a formula, a second engine's value is taken instead.

The suite's word stands unless there is a witness against it: the value that a program stored in the file, or the value
that is wanted there. A cell for which the second engine, which knows neither, comes to the witness's value is right by
it; nothing is made right by a witness alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from crucible.domains.office.sheets.comparing import are_same
from crucible.domains.office.sheets.known_differences import name_differences, read_error
from crucible.domains.office.sheets.references import (
    find_dependents,
    is_readable,
    list_calls_by_names,
    list_formulas,
)
from crucible.domains.office.sheets.workbook import ErrorValue, Place, Value, Values, Workbook, read_functions

SheetValues = dict[str, dict[str, Value | ErrorValue]]
"""`Values` that can be changed."""
UNKNOWN_NAME = ErrorValue("#NAME?")
"""What either engine comes to where it does not know a function."""


def read_stored(book: Workbook) -> SheetValues:
    """The values that the file has for its formulas, errors as such."""
    return {
        sheet: {at: read_error(cell.stored) for at, cell in cells.items() if cell.formula and cell.stored is not None}
        for sheet, cells in book.cells.items()
    }


def reconcile(book: Workbook, first: Values, second: Values, *witnesses: Values, tolerance: float) -> SheetValues:
    """The first engine's values, but the second's where it agrees with a witness and the first does not. Nothing is
    right that rests on a formula which nobody can read: the second engine reads `=B2+C2)` and the like, too."""
    agreed = {sheet: dict(cells) for sheet, cells in first.items()}
    unread = [
        Place(sheet, at) for sheet, cells in first.items() for at, value in cells.items() if value == UNKNOWN_NAME
    ]
    tainted = find_dependents(book, [place for place in unread if not is_readable(book, place)]) if second else set()
    for sheet, cells in second.items():
        for at, value in cells.items():
            seen = [witness[sheet][at] for witness in witnesses if at in witness.get(sheet, {})]
            doubted = agreed.get(sheet, {}).get(at)
            if Place(sheet, at) in tainted:
                continue
            if any(are_same(each, value, tolerance) and not are_same(each, doubted, tolerance) for each in seen):
                agreed.setdefault(sheet, {})[at] = value
    return agreed


def trust_reference(book: Workbook, first: Values, second: Values | None, tolerance: float) -> Values:
    """The values of a workbook that is known to be right: what its author's program stored stands where the suite
    cannot calculate, where the second engine comes to the same, and where programs are known to disagree."""
    stored = read_stored(book)
    known = reconcile(book, first, second or {}, stored, tolerance=tolerance)
    unread = [Place(sheet, at) for sheet, cells in known.items() for at in cells if cells[at] == UNKNOWN_NAME]
    for sheet, at in (*name_differences(book, known), *unread):
        value = stored.get(sheet, {}).get(at)
        if value is not None and not isinstance(value, ErrorValue):
            known.setdefault(sheet, {})[at] = value
    return known


def find_unknown_calls(book: Workbook, values: Values, second: Values, places: Sequence[Place]) -> Mapping[Place, str]:
    """Of cells that show something wrong those that neither engine could calculate because it does not know a function,
    by the function's name: one that the cell calls, or a name that it uses, or another cell that it depends on. What
    hides the error of such a function, as IFERROR does, shows something else in a program that knows it."""
    unknown, swallowing = (set(read_functions()[kind]) for kind in ("unknown", "swallowing"))

    def is_lost(place: Place, calls: Collection[str]) -> bool:
        shown = values.get(place.sheet, {}).get(place.cell)
        again = second.get(place.sheet, {}).get(place.cell, UNKNOWN_NAME)
        return bool(swallowing.intersection(calls)) or (isinstance(shown, ErrorValue) and isinstance(again, ErrorValue))

    strange = {
        place: sorted(unknown & calls)[0]
        for place, _ in list_formulas(book)
        if unknown & (calls := list_calls_by_names(place, book)) and is_lost(place, calls)
    }
    reached = find_dependents(book, strange) if strange else set()
    return {place: strange.get(place, next(iter(strange.values()))) for place in places if place in reached}
