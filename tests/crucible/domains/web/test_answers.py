"""Answers of an HTTP interface: what they hold, and what is kept of them."""

from __future__ import annotations

import pytest

from crucible.domains.web.answers import find_mismatch, holds, keep_values
from crucible.domains.web.rubric import Step
from crucible.domains.web.writings import write_variants
from crucible.record import Json

ITEM: dict[str, Json] = {"id": 7, "title": "lamp", "price": "12.50", "tags": ["a", "b"], "done": False}


@pytest.mark.parametrize(
    "wanted", [{"title": "lamp"}, {"price": 12.5}, {"tags": ["b"]}, {"id": "7"}, {"done": False}, {}]
)
def test_an_answer_may_hold_more_than_is_wanted(wanted: Json) -> None:
    assert holds(ITEM, wanted)
    assert holds([{"id": 1}, ITEM], [wanted])


@pytest.mark.parametrize("wanted", [{"title": "lamps"}, {"size": 1}, {"tags": ["c"]}, {"done": 0}, {"id": True}, []])
def test_what_is_not_there_is_not_held(wanted: Json) -> None:
    assert not holds(ITEM, wanted)


def test_a_status_is_expected_below_400_unless_the_step_says_otherwise() -> None:
    assert find_mismatch(Step(expect="answer"), {"status": 201, "body": None}) == ""
    assert "404" in find_mismatch(Step(expect="answer"), {"status": 404, "body": "not found"})
    assert find_mismatch(Step(expect="answer", status=(400, 422)), {"status": 422, "body": None}) == ""


def test_what_an_answer_gives_is_a_value_for_later_steps() -> None:
    values: dict[str, str] = {}
    step = Step(do="send", keep={"id": "items.0.id"})
    assert keep_values(step, {"status": 200, "body": {"items": [ITEM]}}, values) == ""
    assert values == {"id": "7"}
    assert "no items.0.id" in keep_values(step, {"status": 200, "body": {"items": []}}, values)


def test_a_date_may_be_written_in_the_order_of_other_countries() -> None:
    texts = write_variants("due {day}", {"day": "2027-03-04"}, {"day": "date"})
    assert texts[0] == "due 2027-03-04"
    assert {"due 3/4/2027", "due 04.03.2027", "due Mar 4, 2027"} <= {*texts}
