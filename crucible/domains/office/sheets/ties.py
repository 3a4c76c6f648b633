"""Ties of a workbook: sums of cells that must be equal whatever the inputs are, such as sources and uses."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pydantic import Field

from crucible.domains.office.sheets.workbook import Values, list_places
from crucible.record import Record

RELATIVE = 1e-6
ABSOLUTE = 1e-6


class Tie(Record):
    """Two sums that are equal. Areas are `Model!B2:B9`; one with a minus before it is subtracted."""

    name: str
    left: tuple[str, ...] = Field(min_length=1)
    right: tuple[str, ...] = ()
    plus: float = 0.0
    """A number on the right side beside the cells: one, where shares make up the whole."""


class TiesParams(Record):
    """What is asked of one workbook that an attempt leaves: the parameters of the verifier `ties`."""

    path: str
    ties: tuple[Tie, ...] = Field(min_length=1)
    changes: tuple[dict[str, dict[str, float | str]], ...] = ()
    """Inputs that are changed, set by set, by sheet and cell: the ties must go on holding."""


def list_broken(ties: tuple[Tie, ...], values: Values) -> Iterator[tuple[str, str]]:
    """The name of each tie that does not hold, and why."""
    for tie in ties:
        left, right = (sum_areas(areas, values) for areas in (tie.left, tie.right))
        if isinstance(left, str) or isinstance(right, str):
            yield tie.name, left if isinstance(left, str) else str(right)
        elif not math.isclose(left, right + tie.plus, rel_tol=RELATIVE, abs_tol=ABSOLUTE):
            yield tie.name, f"{left:.10g} is not {right + tie.plus:.10g}"


def sum_areas(areas: tuple[str, ...], values: Values) -> float | str:
    """The sum of all cells of some areas; in words, which cell shows no number. An empty cell is none: a tie must not
    hold because nothing was filled in."""
    found = 0.0
    for area in areas:
        sign = -1 if area.startswith("-") else 1
        for place in list_places(area.removeprefix("-")):
            value = values.get(place.sheet, {}).get(place.cell)
            if isinstance(value, bool) or not isinstance(value, int | float):
                return f"{place} shows no number"
            found += sign * value
    return found
