"""Traces as workbooks: what formulas are written, and that the office suite comes to what the tools come to."""

from __future__ import annotations

from pipelines.cowork.finance.model import Call, Input, Origin
from pipelines.cowork.finance.working import write_formula

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
