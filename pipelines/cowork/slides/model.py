"""What goes from stage to stage when decks are made from texts."""

from __future__ import annotations

from typing import Literal

from crucible.domains.office.decks.spec import DeckSpec
from crucible.record import Record


class SourceText(Record):
    """A text that decks are made from."""

    name: str
    """Of the file, without its suffix."""
    suffix: Literal["md", "txt"]
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

    source: SourceText
    spec: DeckSpec
    audience: str
    """Which of `briefs.toml`."""
    tone: str
    reference: str
    """The digest of a deck that has all that is asked for."""
    number: int = 0
    """Which of the text's briefs."""

    @property
    def id(self) -> str:
        return f"{self.source.id}-{self.number}"
