"""Where programs are known to come to different values: what is said of such a cell is held against nobody.

`functions.toml` names the functions, and what programs disagree about."""

from __future__ import annotations

from crucible.domains.office.sheets.comparing import are_same
from crucible.domains.office.sheets.references import (
    find_dependents,
    list_areas,
    list_calls_by_names,
    list_first_arguments,
    list_formulas,
)
from crucible.domains.office.sheets.workbook import ErrorValue, Place, Value, Values, Workbook, read_functions

FIRST_COMMON_DAY = 61
"""The first of March 1900. One program has a 29th of February before it, which there never was."""
CIRCLES = (ErrorValue("Err:522"), ErrorValue("Err:523"), ErrorValue("#CIRC!"))
"""How engines show that a cell reads itself; other programs show zero."""


def name_differences(book: Workbook, values: Values) -> dict[Place, str]:
    """Cells that come to something else than was stored, where that says nothing against the file: each with the
    function that programs disagree about. Cells that rest on such a cell are among them."""
    differing = {
        place: stored
        for place, cell in list_formulas(book)
        if (stored := read_error(cell.stored)) is not None and not are_same(stored, _value(values, place))
    }
    named = {place: why for place in differing if (why := _explain(book, values, place, differing[place]))}
    resting = find_dependents(book, named) - named.keys() if named else set()
    functions = ", ".join(sorted({why.partition(":")[0] for why in named.values()}))
    return named | {place: f"rests on {functions}" for place in differing if place in resting}


def read_error(stored: Value) -> Value | ErrorValue:
    """What a file has stored for a formula, an error as such."""
    return ErrorValue(stored) if isinstance(stored, str) and stored.startswith("#") else stored


def _explain(book: Workbook, values: Values, place: Place, stored: Value | ErrorValue) -> str:
    """The function about which programs disagree here, and what about; empty where none is known."""
    facts, value = read_functions(), _value(values, place)
    calls = sorted(list_calls_by_names(place, book))
    errors = [isinstance(each, ErrorValue) for each in (stored, value)]
    if value in CIRCLES:
        return "a circle: what a cell shows that reads itself"
    if all(errors):
        return f"{calls[0] if calls else 'operators'}: which error is shown"
    for call in calls:
        if call in facts["unknown"]:
            return f"{call}: unknown to the suite"
        if call in facts["differs"]:
            return f"{call}: {facts['differs'][call]}"
        if any(errors) and call in facts["fails"]:
            return f"{call}: {facts['fails'][call]}"
        if call in facts["calendar"] and (any(errors) or _begins_with_early_day(book, values, place, call)):
            return f"{call}: days before March 1900, and dates that are text"
    return ""


def _begins_with_early_day(book: Workbook, values: Values, place: Place, call: str) -> bool:
    """Whether a function is asked about a day before March 1900: the first thing it is given, a number or a cell."""
    for text in list_first_arguments(book.cell(place).formula, call):
        cells = [
            each
            for area in list_areas(f"={text}", place.sheet, book)
            if area.size() == 1
            for each in area.list_places()
        ]
        day = _value(values, cells[0]) or 0.0 if cells else float(text) if text[:1].isdigit() else None
        if isinstance(day, int | float) and day < FIRST_COMMON_DAY:
            return True
    return False


def _value(values: Values, place: Place) -> Value | ErrorValue:
    return values.get(place.sheet, {}).get(place.cell)
