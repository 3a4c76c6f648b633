"""Opens and prints a deck that an attempt left, for all verifiers of decks."""

from __future__ import annotations

from dataclasses import dataclass
from posixpath import join

from crucible.documents import Office, PrintedPage
from crucible.domains.office.decks.deck import BadDeck, Deck, read_deck
from crucible.errors import DocumentFailed
from crucible.model import Task
from crucible.sandbox import Sandbox

OPENS = "the deck is there, opens and can be shown"
LARGEST_BYTES = 1 << 26
MOST_PAGES = 40


@dataclass(frozen=True)
class OpenDeck:
    """A deck and the pages that it prints."""

    deck: Deck
    pages: tuple[PrintedPage, ...]


class ClosedDeck(Exception):
    """The deck is not there, or cannot be opened or shown; says why in one line."""


async def open_attempt(task: Task, box: Sandbox, path: str, office: Office) -> OpenDeck:
    """The deck in the attempt's box. ClosedDeck when there is none; what takes too long is nobody's fault."""
    try:
        data = await box.read(join(task.env.workdir, path), limit=LARGEST_BYTES)
        return await open_deck(office, data)
    except (FileNotFoundError, IsADirectoryError, ValueError, BadDeck, DocumentFailed) as fault:
        if isinstance(fault, DocumentFailed) and fault.late:
            raise
        raise ClosedDeck(f"{path}: {fault}"[:500]) from fault


async def open_deck(office: Office, data: bytes) -> OpenDeck:
    """What a deck holds, and its pages."""
    deck = await read_deck(office, data)
    return OpenDeck(deck, tuple(await office.print_pages(data, "pptx", most=MOST_PAGES)))
