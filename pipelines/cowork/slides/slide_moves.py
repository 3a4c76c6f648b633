"""Operations on whole slides: which there are, and in which order."""

from __future__ import annotations

from pipelines.cowork.model import Move
from pipelines.cowork.slides.ground import DeckGround, make_move, read_title


def delete_slide(ground: DeckGround) -> Move | None:
    """Take a slide out of the deck."""
    slides = ground.list_slides()
    if len(slides) < 3:
        return None
    number, slide = ground.draw.choice(slides)
    words = {"number": number, "old": read_title(slide)}
    entry = ground.deck.slides._sldIdLst[number - 1]
    ground.deck.part.drop_rel(entry.rId)
    ground.deck.slides._sldIdLst.remove(entry)
    return make_move("delete-slide", **words)


def move_slide(ground: DeckGround) -> Move | None:
    """Put a slide at another place."""
    count = len(ground.list_slides())
    if count < 3:
        return None
    number, place = ground.draw.sample(range(1, count + 1), 2)
    entries = ground.deck.slides._sldIdLst
    entry = entries[number - 1]
    entries.remove(entry)
    entries.insert(place - 1, entry)
    return make_move("move-slide", number=number, place=place)
