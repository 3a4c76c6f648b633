"""What a workbook has beside its cells is kept: its calendar, names, order, and what is shown."""

from __future__ import annotations

from typing import Any

import pytest

from crucible.domains.office.sheets.regression import list_lost
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
