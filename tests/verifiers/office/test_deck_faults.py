"""Slides that an edit leaves alone are held to their details, as the given or the right deck has them."""

from __future__ import annotations

from typing import Any

from crucible.domains.office.decks.deck import Shape, Slide
from verifiers.office.deck import list_faults

SHAPE = Shape(id=2, name="Picture", box=(40.0, 90.0, 400.0, 40.0), details={"cut": "l10"})


def slide(*shapes: Shape, **facts: Any) -> Slide:
    return Slide(layout="Blank", shapes=shapes, **facts)


def test_details_count_on_slides_that_were_there_before_and_not_on_those_to_be_edited() -> None:
    made = slide(SHAPE.model_copy(update={"details": {"cut": "l50"}}))
    assert list_faults(slide(SHAPE), made, [slide(SHAPE)])
    assert not list_faults(slide(SHAPE), made, [])


def test_details_may_be_those_of_the_given_or_of_the_right_deck() -> None:
    """Programs that save a deck leave traces in the right one, which nobody was asked for."""
    given, gold = slide(SHAPE), slide(SHAPE, details={"background": "FFFFFF"})
    assert not list_faults(gold, given, [given])
    assert not list_faults(gold, gold, [given])
