"""Slides are compared by what they show: what hides, turns or recolours a thing is a difference."""

from __future__ import annotations

from typing import Any

import pytest

from crucible.domains.office.decks.deck import Shape, Slide, list_differences
from tests.crucible.domains.office.decks.printed import text_shape

SHAPE = text_shape(2, "Loans rose", (40, 90, 400, 40), fill="FFFFFF", details={"cut": "l10"})
OTHER = text_shape(3, "Budget", (40, 190, 400, 40))


def slide(*shapes: Shape, **facts: Any) -> Slide:
    return Slide(layout="Blank", shapes=shapes, **facts)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hidden": True}, "is hidden"),
        ({"angle": 25.0}, "turned by 25"),
        ({"fill": "FF00FF"}, "filled with FF00FF"),
        ({"links": ("http://elsewhere.example",)}, "links"),
    ],
)
def test_a_shape_that_looks_or_acts_otherwise_is_noticed(change: dict[str, Any], said: str) -> None:
    [found] = list_differences(slide(SHAPE, OTHER), slide(SHAPE.model_copy(update=change), OTHER))
    assert said in found


def test_a_full_turn_and_a_colour_left_to_the_theme_are_no_difference() -> None:
    assert not list(list_differences(slide(SHAPE), slide(SHAPE.model_copy(update={"angle": 359.5, "fill": ""}))))


def test_another_order_is_noticed() -> None:
    assert list(list_differences(slide(SHAPE, OTHER), slide(OTHER, SHAPE))) == [
        "things lie over each other in another order"
    ]


def test_of_two_shapes_with_the_same_id_each_is_compared_with_its_own() -> None:
    twin = OTHER.model_copy(update={"id": SHAPE.id})
    assert not list(list_differences(slide(SHAPE, twin), slide(SHAPE, twin)))
    assert list(list_differences(slide(SHAPE, twin), slide(SHAPE.model_copy(update={"hidden": True}), twin)))
