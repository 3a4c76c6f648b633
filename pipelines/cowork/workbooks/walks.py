"""Seeded walks of operations over a workbook. What one walk leaves, another may begin with."""

from __future__ import annotations

import asyncio
import io
import warnings
from collections.abc import Collection, Sequence
from random import Random
from typing import Any

import openpyxl

from crucible.documents import Office
from crucible.domains.office.archive import forget_times
from crucible.domains.office.sheets.comparing import compare_values
from crucible.domains.office.sheets.workbook import (
    BadWorkbook,
    ErrorValue,
    Values,
    Workbook,
    list_places,
    read_values,
    read_workbook,
)
from crucible.errors import DocumentFailed, Rejected
from crucible.mining import MiningContext
from pipelines.cowork.model import Move, Seed, Walk
from pipelines.cowork.settings import CoworkSettings
from pipelines.cowork.workbooks.changing import Changes, draw_changes
from pipelines.cowork.workbooks.formula_moves import list_formula_moves
from pipelines.cowork.workbooks.ground import Ground, Operation
from pipelines.cowork.workbooks.list_moves import format_column, select_rows, sort_rows
from pipelines.cowork.workbooks.tables import find_tables

OPERATIONS: dict[str, Operation] = {
    **dict(list_formula_moves()),
    "sort-rows": sort_rows,
    "select-rows": select_rows,
    "format-column": format_column,
}
TRIES = 6
"""How often inputs are drawn anew until their change shows in the answers."""


async def walk_workbook(seed: Seed, context: MiningContext) -> Sequence[Walk]:
    """Several walks over one workbook, each to a state that was calculated and can be checked."""
    office: Office = await context.services.get("office")
    options = context.section(CoworkSettings)
    data = await asyncio.to_thread(context.blobs.get, seed.blob)
    await _require_usable(office, data)
    states, walks = [data], []
    for number in range(options.walks):
        draw = Random(f"{options.seed} {seed.blob} {number}")
        given = states[0] if number % 2 == 0 else draw.choice(states)
        wanted = [tuple(OPERATIONS)] * (1 + number % options.longest)
        moves, gold = await asyncio.to_thread(make_moves, given, wanted, draw)
        if not moves:
            continue
        changes = await choose_changes(office, given, gold, moves, draw, options.changed_inputs)
        if changes is not None:
            states.append(gold)
            walks.append(
                Walk(
                    seed=seed,
                    given=context.blobs.put(given),
                    gold=context.blobs.put(gold),
                    sheets=tuple(load(given).sheetnames),
                    moves=moves,
                    changes=changes,
                    number=number,
                )
            )
    if not walks:
        raise Rejected("no_operation_fits", "its sheets have no table that an operation could work on")
    return walks


async def _require_usable(office: Office, data: bytes) -> None:
    """The workbook can be opened, and saving it loses nothing: what our writer loses nobody could be asked to keep."""
    try:
        before = await read_workbook(office, data)
        after = await read_workbook(office, await asyncio.to_thread(lambda: pack(load(data))))
    except (BadWorkbook, DocumentFailed) as fault:
        raise Rejected("unreadable_workbook", str(fault)) from None
    if before.macros or before.links:
        raise Rejected("macros_or_links", "macros, or links to other files")
    if lost := _list_lost_parts(before, after):
        raise Rejected("lost_by_writer", ", ".join(lost)[:300])


def _list_lost_parts(before: Workbook, after: Workbook) -> list[str]:
    """Kinds of parts of which saving leaves fewer: drawings, charts, pivot tables, slicers."""
    kinds = sorted({part.rsplit("/", 1)[0] for part in before.parts if part.startswith("xl/") and part.count("/") > 1})
    watched = [kind for kind in kinds if kind not in ("xl/worksheets", "xl/theme", "xl/printerSettings", "xl/_rels")]
    return [kind for kind in watched if _count(after, kind) < _count(before, kind)]


def _count(book: Workbook, kind: str) -> int:
    return sum(part.startswith(f"{kind}/") for part in book.parts)


def make_moves(given: bytes, wanted: Sequence[Sequence[str]], draw: Random) -> tuple[tuple[Move, ...], bytes]:
    """Carry out operations that fit, one after the other and none twice: for each place in the walk one of those that
    are wanted there. Fewer where nothing fits a place."""
    book = load(given)
    moves: list[Move] = []
    for names in wanted:
        move = _make_move(book, draw, set(names) - {move.operation for move in moves})
        if move:
            moves.append(move)
    return tuple(moves), pack(book)


def _make_move(book: Any, draw: Random, choices: Collection[str]) -> Move | None:
    """One of the operations, drawn from those that fit."""
    tables = list(find_tables(book))
    names = sorted(choices)
    draw.shuffle(names)
    for name in names:
        for table in draw.sample(tables, len(tables)):
            if move := OPERATIONS[name](Ground(book, table, draw)):
                return move
    return None


async def choose_changes(
    office: Office, given: bytes, gold: bytes, moves: Sequence[Move], draw: Random, count: int
) -> tuple[Changes, ...] | None:
    """Sets of changed inputs that show in the answers. None when the walk cannot be used: an answer is an error, or is
    what the given workbook shows already."""
    book = await asyncio.to_thread(load, gold)
    drawn = [changes for number in range(TRIES) if (changes := draw_changes(book, moves, draw, widely=number % 2 == 0))]
    first, *changed = map(read_values, await office.calculate(gold, drawn))
    [before] = map(read_values, await office.calculate(given))
    if not all(move.formats or _is_new_answer(move, before, first) for move in moves):
        return None
    formulas = [move for move in moves if move.inputs]
    useful = [changes for changes, values in zip(drawn, changed, strict=True) if _all_follow(formulas, first, values)]
    return tuple(useful[:count]) if len(useful) >= count or not formulas else None


def _is_new_answer(move: Move, before: Values, after: Values) -> bool:
    """Whether the answers have no error, and are not there before."""
    places = [place for area in move.answers for place in list_places(area)]
    shown = [after.get(place.sheet, {}).get(place.cell) for place in places]
    return not any(isinstance(value, ErrorValue) for value in shown) and bool(compare_values(after, before, places))


def _all_follow(moves: Sequence[Move], first: Values, changed: Values) -> bool:
    """Whether each move's answers show something else after the change, and no error."""
    return all(_is_new_answer(move, first, changed) for move in moves)


def load(data: bytes) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the reader does not know is looked for in the parts
        return openpyxl.load_workbook(io.BytesIO(data))


def pack(book: Any) -> bytes:
    packed = io.BytesIO()
    book.save(packed)
    return forget_times(packed.getvalue())
