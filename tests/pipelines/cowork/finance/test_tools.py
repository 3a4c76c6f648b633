"""Financial tools come to what textbooks and workbook programs come to."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.cowork.finance.plans import list_plans, read_tool_facts
from pipelines.cowork.finance.tools import list_tools

KNOWN: list[tuple[str, dict[str, Any], float]] = [
    # IRR, XIRR and XNPV: the examples of a workbook program's manual
    ("internal_rate_of_return", {"flows": [-70000, 12000, 15000, 18000, 21000, 26000]}, 0.0866309),
    (
        "dated_rate_of_return",
        {
            "dates": ["2008-01-01", "2008-03-01", "2008-10-30", "2009-02-15", "2009-04-01"],
            "amounts": [-10000, 2750, 4250, 3250, 2750],
        },
        0.373362535,
    ),
    (
        "dated_present_value",
        {
            "rate": 0.09,
            "dates": ["2008-01-01", "2008-03-01", "2008-10-30", "2009-02-15", "2009-04-01"],
            "amounts": [-10000, 2750, 4250, 3250, 2750],
        },
        2086.647602,
    ),
    ("monthly_payment", {"principal": 10000, "yearly_rate": 0.08, "months": 10}, 1037.032089),
    (
        "interest_between",
        {"principal": 125000, "yearly_rate": 0.09, "months": 360, "first": 13, "last": 24},
        11135.23213,
    ),
    ("largest_drawdown", {"prices": [100, 120, 90, 130, 117]}, 0.25),
    ("beta", {"returns": [0.02, -0.04, 0.06], "market": [0.01, -0.02, 0.03]}, 2.0),
    # a fifth goes to the investor and a tenth to options, so the 70 shares are 70%
    ("pool_shares", {"existing": 70, "investment": 1, "pre_money": 4, "pool_share": 0.1}, 10.0),
    ("participating_proceeds", {"proceeds": 30, "preference": 10, "holding": 0.25}, 15.0),
    ("preferred_proceeds", {"proceeds": 30, "preference": 10, "holding": 0.25}, 10.0),
    ("debt_after_sweep", {"debt": 100, "rate": 0.1, "tax_rate": 0.2, "flows": [28, 20]}, 66.4),
    ("debt_after_sweep", {"debt": 10, "rate": 0.1, "tax_rate": 0.2, "flows": [28]}, 0.0),
    ("accretion", {"profit": 100, "shares": 50, "combined_profit": 132, "combined_shares": 60}, 0.1),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "inputs", "wanted"), KNOWN)
def test_a_tool_comes_to_the_known_value(tool: str, inputs: dict[str, Any], wanted: float) -> None:
    assert list_tools()[tool](**inputs) == pytest.approx(wanted, rel=1e-6)


def test_every_plan_calls_tools_by_the_names_of_their_parameters() -> None:
    for plan in list_plans():
        for step in plan.steps:
            wanted = list_tools()[step.tool].__annotations__.keys() - {"return"}
            assert step.inputs.keys() == wanted, f"{plan.name}: {step.id}"


def test_every_tool_is_told_about() -> None:
    assert read_tool_facts().keys() == list_tools().keys()
