"""Decks become tasks: operations that fit, and words that name one place."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest
from pptx import Presentation

from pipelines.cowork.slides.ground import DeckGround
from pipelines.cowork.slides.moves import LAST, OPERATIONS
from pipelines.cowork.slides.walks import make_deck_moves
from pipelines.cowork.writing import LEVELS, write_instruction

ALL = tuple(OPERATIONS)
DECKS = Path("sample_data/cowork/decks")
LIBRARY = (DECKS / "library-report.pptx").read_bytes()
HARVEST = (DECKS / "harvest-meeting.pptx").read_bytes()


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_operation_fits_a_sample_and_changes_it(name: str) -> None:
    deck = Presentation(io.BytesIO(LIBRARY))
    assert OPERATIONS[name](DeckGround(deck, Random(1)))
    packed = io.BytesIO()
    deck.save(packed)
    assert len(Presentation(packed).slides) == (4 if name == "delete-slide" else 5)


@pytest.mark.parametrize("level", LEVELS)
def test_words_are_filled_in_and_slides_are_renumbered_last(level: str) -> None:
    for number in range(40):
        moves, _ = make_deck_moves(LIBRARY if number % 2 else HARVEST, [ALL] * 3, Random(number))
        assert not any(move.operation in LAST for move in moves[:-1])
        text = write_instruction(moves, level, "x.pptx", "/workspace")
        assert not set("{}") & set(text), text


def test_the_same_seed_walks_the_same_way() -> None:
    assert make_deck_moves(LIBRARY, [ALL] * 3, Random("x"))[0] == make_deck_moves(LIBRARY, [ALL] * 3, Random("x"))[0]
