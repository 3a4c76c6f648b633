"""Values of a workflow: drawn by seed, filled into texts, and computed with."""

from __future__ import annotations

from random import Random

import pytest

from crucible.domains.web.rubric import ValueKind
from crucible.domains.web.values import DRAWING, draw_values, fill_json, fill_text


def test_the_same_seed_draws_the_same_values_and_another_seed_others() -> None:
    kinds = dict(zip(DRAWING, DRAWING, strict=True))
    assert draw_values(kinds, Random(1)) == draw_values(kinds, Random(1))
    assert not set(draw_values(kinds, Random(1)).values()) & set(draw_values(kinds, Random(2)).values())


@pytest.mark.parametrize("kind", ["email", "url"])
def test_addresses_have_a_top_level_domain_that_exists(kind: ValueKind) -> None:
    assert ".example.com" in draw_values({"address": kind}, Random(4))["address"]


def test_two_values_of_a_kind_differ() -> None:
    values = draw_values({f"n{number}": "number" for number in range(40)}, Random(3))
    assert len(set(values.values())) == 40


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{title} is here", "amber is here"),
        ("{a + b}", "42"),
        ("{c * 9 / 5 + 32} °F", "98.6 °F"),
        ("{a / 7}", "4.29"),
        ("{a - b - b}", "6"),
        ("no place", "no place"),
    ],
)
def test_values_and_results_stand_where_the_rubric_names_them(text: str, filled: str) -> None:
    assert fill_text(text, {"title": "amber", "a": "30", "b": "12", "c": "37"}) == filled


@pytest.mark.parametrize("text", ["{unknown}", "{a +}", "{a / 0}", "{a ** 9}", "{__import__('os')}"])
def test_what_cannot_be_filled_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"a|computed"):
        fill_text(text, {"a": "1"})


def test_texts_within_json_are_filled_and_numbers_stay_numbers() -> None:
    body = {"name": "{name}", "price": "{+price}", "tags": ["{name}"], "done": False}
    assert fill_json(body, {"name": "pen", "price": "12"}) == {
        "name": "pen",
        "price": 12,
        "tags": ["pen"],
        "done": False,
    }
