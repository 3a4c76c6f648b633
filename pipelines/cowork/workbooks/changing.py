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
"""How many inputs of each move are changed at once, where not all are."""
MOST_CHANGED_CELLS = 400
"""So many are changed where all are: a longer column is much alike."""

Changes = dict[str, dict[str, float | str]]


def draw_changes(book: Any, moves: Sequence[Move], draw: Random, *, widely: bool = False) -> Changes:
    """Other values for some inputs of each move, by sheet and cell; `widely` for all of them, so that a value that was
    typed into one row of a column gives itself away."""
    changes: Changes = {}
    for move in moves:
        places = [place for area in move.inputs for place in list_places(area)]
        for place in _choose_wide(book, move, places, draw) if widely else _choose(places, CHANGED_CELLS, draw):
            value = change_value(_read(book, place), draw)
            if value is not None:
                changes.setdefault(place.sheet, {})[place.cell] = value
    return changes


def _choose_wide(book: Any, move: Move, places: Sequence[Place], draw: Random) -> list[Place]:
    """All inputs, but few of the texts by which rows are told apart: with all of them changed nothing is found."""
    keys = [] if move.phrase == "column" else [place for place in places if isinstance(_read(book, place), str)]
    others = [place for place in places if place not in set(keys)]
    return [*_choose(keys, CHANGED_CELLS, draw), *_choose(others, MOST_CHANGED_CELLS, draw)]


def _choose(places: Sequence[Place], most: int, draw: Random) -> list[Place]:
    return draw.sample(places, min(most, len(places)))


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
        return f"{draw.choice('BDFHK')}{value}{draw.choice('bdfhk')}"
    return None
