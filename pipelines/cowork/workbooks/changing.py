"""Changed inputs: other values for cells that answers depend on, so that only answers that follow stay right."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from random import Random
from typing import Any

from openpyxl.utils.datetime import to_excel

from crucible.domains.office.sheets.workbook import Place, list_places
from pipelines.cowork.model import Move

CHANGED_CELLS = 3
"""How many inputs of each move are changed at once."""

Changes = dict[str, dict[str, float | str]]


def draw_changes(book: Any, moves: Sequence[Move], draw: Random) -> Changes:
    """Other values for some inputs of each move, by sheet and cell."""
    changes: Changes = {}
    for move in moves:
        places = [place for area in move.inputs for place in list_places(area)]
        for place in draw.sample(places, min(CHANGED_CELLS, len(places))):
            value = change_value(_read(book, place), draw)
            if value is not None:
                changes.setdefault(place.sheet, {})[place.cell] = value
    return changes


def _read(book: Any, place: Place) -> Any:
    return book[place.sheet][place.cell].value


def change_value(value: Any, draw: Random) -> float | str | None:
    """Another value of the same kind; None for what is no constant."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return round(value * draw.uniform(0.3, 2.5) + draw.randint(1, 9), 2 if isinstance(value, float) else 0)
    if isinstance(value, datetime.datetime | datetime.date):
        return float(to_excel(value)) + draw.randint(40, 900)
    if isinstance(value, str) and not value.startswith("="):
        return f"{value}{draw.choice('bdfhk')}"
    return None
