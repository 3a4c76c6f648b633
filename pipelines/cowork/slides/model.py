"""What goes from stage to stage when decks are made from documents."""

from __future__ import annotations

from crucible.domains.office.deck_spec import DeckSpec
from crucible.record import Record


class Document(Record):
    """A text that decks are made from."""

    name: str
    """Of the file, without its suffix."""
    suffix: str
    blob: str
    """The digest of its text."""
    licence: str = ""
    author: str = ""
    url: str = ""

    @property
    def id(self) -> str:
        return f"{self.suffix}-{self.name}-{self.blob[:8]}"


class DeckBrief(Record):
    """A deck that is asked for: for whom, how, and what must be in it."""

    document: Document
    spec: DeckSpec
    audience: str
    """Which of `briefs.toml`."""
    tone: str
    reference: str
    """The digest of a deck that has all that is asked for."""
    number: int = 0
    """Which of the document's briefs."""

    @property
    def id(self) -> str:
        return f"{self.document.id}-{self.number}"
