"""A deck that the office suite saved: it is held against the given and the right deck as the suite saves them.

The suite writes all of a deck anew: placeholders lose their names, a theme's colours become plain ones. An edit that
was made in it is right for all that, and the same traces in the other two decks tell it from damage.
"""

from __future__ import annotations

from typing import NamedTuple

from crucible.documents import Office
from crucible.domains.office.decks.deck import Deck, read_deck

SUITE = "LibreOffice"
"""How the name of the program begins that wrote such a file."""


class Wanted(NamedTuple):
    """What an edited deck is held against."""

    given: Deck
    gold: Deck

    def list_edited(self) -> list[int]:
        """The numbers of the slides that the right deck changes."""
        return [
            number
            for number, slide in enumerate(self.gold.slides, start=1)
            if not any(slide.is_like(old) for old in self.given.slides)
        ]


async def resave(office: Office, given: bytes, gold: bytes, wanted: Wanted) -> Wanted | None:
    """Both decks as the suite saves them; None where it loses something that the right deck changes, for then the given
    deck, saved by the suite, would be as right."""
    saved = Wanted(*[await read_deck(office, await office.convert(data, "pptx", "pptx")) for data in (given, gold)])
    edited = wanted.list_edited()
    return saved if edited and set(edited) <= set(saved.list_edited()) else None
