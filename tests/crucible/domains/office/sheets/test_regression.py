"""What a workbook has beside its cells is kept: its calendar, names, order, and what is shown."""

from __future__ import annotations

from typing import Any

import pytest

from crucible.domains.office.sheets.regression import Book, list_lost, list_touched, plain_format
from crucible.domains.office.sheets.workbook import Cell, SheetLook, Workbook


def workbook(**facts: Any) -> Workbook:
    told: dict[str, Any] = {
        "cells": {name: {"A1": Cell(stored=1.0)} for name in ("Sales", "Notes")},
        "looks": {name: SheetLook(comments=1) for name in ("Sales", "Notes")},
        "names": {"rate": "Sales!$B$2"},
        "charts": (),
        "parts": (),
        "macros": False,
        "links": (),
        "epoch": "1899-12-30",
    }
    return Workbook(**(told | facts))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"epoch": "1904-01-01"}, "the calendar"),
        ({"names": {"rate": "0.5"}}, "what the name rate means"),
        ({"cells": {name: {} for name in ("Notes", "Sales")}}, "the order of the sheets"),
        ({"looks": {"Sales": SheetLook(comments=1, concealed=("7",))}}, "concealed of sheet 'Sales'"),
        ({"looks": {"Sales": SheetLook()}}, "comments of sheet 'Sales'"),
    ],
)
def test_what_was_changed_beside_the_cells_is_told(change: dict[str, Any], said: str) -> None:
    [found] = list_lost(workbook(), workbook(), workbook(**change))
    assert found.startswith(said)


def test_answers_on_a_sheet_that_is_hidden_are_lost() -> None:
    given = workbook(looks={"Notes": SheetLook()})
    hidden = workbook(looks={"Notes": SheetLook(), "Sales": SheetLook(state="veryHidden")})
    assert list(list_lost(given, workbook(looks={"Sales": SheetLook()}), hidden)) == [
        "sheet 'Sales' from what is shown"
    ]


def test_what_the_right_workbook_changes_too_may_change() -> None:
    changed = workbook(epoch="1904-01-01", names={"rate": "0.5"})
    assert not list(list_lost(workbook(), changed, changed))
    assert not list(list_lost(workbook(), changed, workbook()))


def test_a_name_that_another_program_wrote_is_the_same() -> None:
    assert not list(list_lost(workbook(), workbook(), workbook(names={"rate": "'Sales'!B2"})))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (
            '_-"£"* #,##0.00_-;\\-"£"* #,##0.00_-;_-"£"* "-"??_-;_-@_-',
            '_-\\£* #,##0.00_-;"-£"* #,##0.00_-;_-\\£* \\-??_-;_-@_-',
            True,
        ),
        ("yyyy\\-mm\\-dd", "yyyy-mm-dd", True),
        ("mm-dd-yy", "m/d/yyyy", True),
        ("[$-409]d mmm;@", "d mmm", True),
        ('0" kg"', "0\\ \\k\\g", True),
        ('"30"', "30", False),
        ("0.00", "0.0", False),
        ("0.00", "0.00%", False),
    ],
)
def test_formats_that_show_the_same_are_the_same(one: str, other: str, same: bool) -> None:
    assert (plain_format(one) == plain_format(other)) is same


def test_what_a_merged_area_covers_may_be_dropped_and_nothing_else() -> None:
    looks = {"Sales": SheetLook(merged=("A1:B1",))}
    given = workbook(cells={"Sales": {at: Cell(stored="kept") for at in ("A1", "B1", "C1")}}, looks=looks)
    for dropped, told in (("B1", []), ("A1", ["Sales!A1 has another value"]), ("C1", ["Sales!C1 has another value"])):
        left = {at: cell for at, cell in given.cells["Sales"].items() if at != dropped}
        made = workbook(cells={"Sales": left}, looks=looks)
        books = [Book(each, {"Sales": dict.fromkeys(each.cells["Sales"], "kept")}) for each in (given, given, made)]
        assert list(list_touched(*books, allowed=())) == told
