"""When two cells show the same: numbers within a tolerance, dates as the numbers they are, text without the blanks
around it. Nothing is not zero, and an error equals only itself."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from crucible.domains.office.sheets.workbook import ErrorValue, Place, Value, Values

RELATIVE = 1e-6
ABSOLUTE = 1e-9
"""Numbers that small are noise of the calculation."""
SHOWN = 5
"""How many differences are told."""


class Difference(NamedTuple):
    """A cell that shows something else than it should."""

    place: Place
    wanted: Value | ErrorValue
    got: Value | ErrorValue

    def __str__(self) -> str:
        return f"{self.place}: {show(self.got)} instead of {show(self.wanted)}"


def compare_values(
    wanted: Values, got: Values, places: Iterable[Place], tolerance: float = RELATIVE
) -> list[Difference]:
    """The cells among these places that show something else than they should."""
    found = []
    for place in places:
        expected = wanted.get(place.sheet, {}).get(place.cell)
        seen = got.get(place.sheet, {}).get(place.cell)
        if not are_same(expected, seen, tolerance):
            found.append(Difference(place, expected, seen))
    return found


def are_same(wanted: Value | ErrorValue, got: Value | ErrorValue, tolerance: float = RELATIVE) -> bool:
    """Whether both show the same."""
    wanted, got = _without_blanks(wanted), _without_blanks(got)
    if isinstance(wanted, int | float) and isinstance(got, int | float):
        return math.isclose(wanted, got, rel_tol=tolerance, abs_tol=ABSOLUTE)
    return wanted == got


def _without_blanks(value: Value | ErrorValue) -> Value | ErrorValue:
    """Text without blanks around it; text that is nothing else is no value."""
    return " ".join(value.split()) or None if isinstance(value, str) else value


def tell(differences: list[Difference]) -> str:
    """The first differences in words."""
    shown = "; ".join(map(str, differences[:SHOWN]))
    return shown + (f"; and {len(differences) - SHOWN} more" if len(differences) > SHOWN else "")


def show(value: Value | ErrorValue) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, ErrorValue):
        return value.shown
    return f"'{value[:80]}'" if isinstance(value, str) else f"{value:.10g}"
