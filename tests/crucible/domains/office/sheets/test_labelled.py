"""Tables are compared by their labels, wherever they stand."""

from __future__ import annotations

import pytest

from crucible.domains.office.sheets.labelled import LabelledTable, find_tables, list_wrong
from crucible.domains.office.sheets.workbook import Values

WANTED = LabelledTable(
    title="Orders",
    headers=("Customer", "Loaves", "Price"),
    kinds=("text", "number", "number"),
    rows=(("Anker", 30.0, 187.5), ("Kiosk", 12.0, None)),
    total="Total",
    totals=("Loaves",),
)
Grid = dict[str, float | str]
PLAIN: Grid = {
    "A1": "Customer", "B1": "Loaves", "C1": "Price",
    "A2": "Anker", "B2": 30.0, "C2": 187.5,
    "A3": "Kiosk", "B3": 12.0,
    "A4": "Total", "B4": 42.0,
}  # fmt: skip
ELSEWHERE: Grid = {
    "A1": "Orders of the quay",
    "C5": "price", "D5": "Customer ", "F5": "LOAVES",
    "D6": "Kiosk", "F6": 12.0,
    "D7": "Anker", "F7": 30.0, "C7": 187.5,
    "D8": "Total", "F8": 42.0,
    "D10": "Printed on Monday",
}  # fmt: skip


@pytest.mark.parametrize("grid", [PLAIN, ELSEWHERE], ids=["from A1", "elsewhere, in another order"])
def test_any_layout_with_the_same_labels_is_right(grid: Grid) -> None:
    values: Values = {"Sheet": grid}
    [found] = find_tables(WANTED, values)
    assert list(list_wrong(WANTED, found, values)) == []


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({"B2": 31.0}, "Anker, Loaves: 31 instead of 30"),
        ({"B2": "30"}, "Anker, Loaves: '30' instead of 30"),
        ({"C3": 0.0}, "Kiosk, Price: 0 instead of nothing"),
        ({"B4": 41.0}, "Total, Loaves: 41 instead of 42"),
        ({"A3": "Kiosk 8"}, "'kiosk 8' should not be there"),
        ({"A5": "Anker", "B5": 30.0}, "'anker' stands there twice"),
    ],
)
def test_each_difference_is_told(change: Grid, finding: str) -> None:
    values: Values = {"Sheet": {**PLAIN, **change}}
    [found] = find_tables(WANTED, values)
    assert finding in list(list_wrong(WANTED, found, values))


def test_a_table_without_a_header_is_not_found_and_two_are_two() -> None:
    assert find_tables(WANTED, {"Sheet": {**PLAIN, "C1": "Cost"}}) == []
    assert len(find_tables(WANTED, {"Sheet": PLAIN, "Copy": PLAIN})) == 2
