"""Traces as workbooks: what formulas are written, and that the office suite comes to what the tools come to."""

from __future__ import annotations

from random import Random

from pipelines.cowork.finance.model import Call, Input, Origin, Trace
from pipelines.cowork.finance.plans import list_plans, read_tool_facts
from pipelines.cowork.finance.tables import UNIT, Table
from pipelines.cowork.finance.working import _draw_changes, write_formula

ROWS = {Origin(kind="file", name="a.csv", place=f"{line}:x"): f"Inputs!$B${line}" for line in (2, 3, 4)}
ROWS[Origin(kind="call", name="first")] = "Working!$B$1"


def read_rows(*lines: int) -> Input:
    origins = tuple(Origin(kind="file", name="a.csv", place=f"{line}:x") for line in lines)
    return Input(origins=origins, listed=True, value=None)


def test_values_below_each_other_are_one_range_and_others_are_listed() -> None:
    call = Call(id="all", tool="total", inputs={"values": read_rows(2, 3, 4)}, output=0)
    assert write_formula(call, ROWS) == "SUM(Inputs!$B$2:$B$4)"
    apart = call.model_copy(update={"inputs": {"values": read_rows(2, 4)}})
    assert write_formula(apart, ROWS) == "SUM(Inputs!$B$2,Inputs!$B$4)"


def test_an_earlier_call_is_its_cell() -> None:
    first = Input(origins=(Origin(kind="call", name="first"),), value=None)
    row = Input(origins=(Origin(kind="file", name="a.csv", place="2:x"),), value=None)
    call = Call(id="share", tool="quotient", inputs={"a": first, "b": row}, output=0)
    assert write_formula(call, ROWS) == "Working!$B$1/Inputs!$B$2"


def test_every_figure_is_changed_but_the_size_of_a_unit() -> None:
    """A formula with one of the figures written into it would pass otherwise."""
    places = {"2:x": 10.0, "3:x": 7, "4:x": "2020-01-31", UNIT: 1000.0}
    origins = tuple(Origin(kind="file", name="a.csv", place=place) for place in places)
    call = Call(id="all", tool="total", inputs={"values": Input(origins=origins, listed=True, value=None)}, output=0)
    trace = Trace(given={}, calls=(call,))
    changes = _draw_changes(trace, {"a.csv": Table(places, {})}, Random(1))
    assert changes.keys() == {2, 3, 4}
    assert all(changes[row] != value for row, value in zip((2, 3, 4), places.values(), strict=False))


def test_every_figure_that_a_question_gives_a_workbook_has_a_name() -> None:
    for plan in list_plans():
        if all(read_tool_facts()[step.tool].get("formula") for step in plan.steps):
            named = {ref[1:] for step in plan.steps for ref in step.inputs.values() if str(ref).startswith("$")}
            assert all(plan.draws[name].label for name in named), plan.name
