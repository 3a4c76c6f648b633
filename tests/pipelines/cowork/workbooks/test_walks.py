"""Workbooks become tasks: operations that fit, answers that follow their inputs, words that name one place."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from crucible.domains.office.sheets.workbook import list_places
from pipelines.cowork.workbooks.changing import CHANGED_CELLS, draw_changes
from pipelines.cowork.workbooks.formula_moves import read_operations
from pipelines.cowork.workbooks.ground import Ground
from pipelines.cowork.workbooks.tables import find_tables
from pipelines.cowork.workbooks.walks import OPERATIONS, load, make_moves, pack
from pipelines.cowork.writing import LEVELS, write_instruction

SEEDS = Path("sample_data/cowork/workbooks")
ALL = tuple(OPERATIONS)
BAKERY = (SEEDS / "bakery-orders.xlsx").read_bytes()
BUDGET = (SEEDS / "library-budget.xlsx").read_bytes()


def test_there_are_thirty_operations_and_each_fits_a_sample() -> None:
    assert len(OPERATIONS) >= 30
    for name, operation in OPERATIONS.items():
        grounds = (Ground(load(data), table, Random(n)) for n in range(8) for data in (BAKERY, BUDGET)
                   for table in find_tables(load(data)))  # fmt: skip
        assert any(operation(ground) for ground in grounds), name


def test_tables_are_found_below_titles_and_end_before_totals() -> None:
    budget, staff = find_tables(load(BUDGET))
    assert (budget.sheet, budget.header_row, budget.last_row) == ("Budget", 3, 13)
    assert [column.kind for column in staff.columns] == ["text", "text", "number", "number", "date"]


def test_the_same_seed_walks_the_same_way() -> None:
    one, other = (make_moves(BAKERY, [ALL] * 3, Random("x"))[0] for _ in range(2))
    assert one == other
    assert len({move.operation for move in one}) == 3


@pytest.mark.parametrize("level", LEVELS)
def test_words_are_filled_in_for_every_operation(level: str) -> None:
    for number in range(60):
        moves, _ = make_moves(BAKERY if number % 2 else BUDGET, [ALL] * 3, Random(number))
        text = write_instruction(moves, level, "x.xlsx", "/workspace")
        assert not set("{}") & set(text), text


def test_every_phrase_kind_of_the_data_file_is_known() -> None:
    assert set(read_operations()) == {"column", "value", "group"}


def test_changed_inputs_are_constants_of_the_moves_own_columns() -> None:
    moves, gold = make_moves(BAKERY, [ALL] * 2, Random(3))
    book = load(gold)
    inputs = {place for move in moves for area in move.inputs for place in list_places(area)}
    changes = draw_changes(book, moves, Random(1))
    changed = {(sheet, cell) for sheet, cells in changes.items() for cell in cells}
    assert changed <= {tuple(place) for place in inputs}
    assert changed


def test_wide_changes_reach_every_row_of_a_column() -> None:
    moves, gold = make_moves(BAKERY, [("add-columns", "multiply-columns", "running-total")], Random(3))
    inputs = [tuple(place) for area in moves[0].inputs for place in list_places(area)]
    changes = draw_changes(load(gold), moves, Random(1), widely=True)
    assert {(sheet, cell) for sheet, cells in changes.items() for cell in cells} == set(inputs)


def test_wide_changes_leave_most_names_by_which_groups_are_found() -> None:
    moves, gold = make_moves(BAKERY, [("total-by",)], Random(3))
    changes = draw_changes(load(gold), moves, Random(1), widely=True)
    changed = [value for cells in changes.values() for value in cells.values()]
    assert 0 < sum(isinstance(value, str) for value in changed) <= CHANGED_CELLS < len(changed)


def test_what_an_operation_does_not_fit_is_left_as_it_was() -> None:
    book = load(BUDGET)
    before = [[cell.value for cell in row] for row in book["Budget"].iter_rows()]
    table = next(find_tables(book))
    for operation in OPERATIONS.values():
        if operation(Ground(load(BUDGET), table, Random(1))) is None:
            operation(Ground(book, table, Random(1)))
    assert [[cell.value for cell in row] for row in book["Budget"].iter_rows()] == before
    assert pack(book)
