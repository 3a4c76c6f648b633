"""What is asked of a deck that is made from a document: the parameters of the verifier `deck.made`."""

from __future__ import annotations

from crucible.domains.office.decks.deck import ChartData
from crucible.record import Record


class Topic(Record):
    """Something that a slide is about."""

    title: str
    """Words that stand on the slide."""
    figures: tuple[str, ...] = ()
    """Figures that stand there too."""


class DeckSpec(Record):
    """The deck that is asked for. Layout, wording and library are the maker's."""

    title: str
    slides: int
    topics: tuple[Topic, ...]
    chart: ChartData | None = None
    """Data that is drawn by a chart that can be edited, of any kind."""
    table: tuple[tuple[str, ...], ...] = ()
    """Rows of a table that can be edited, the header first."""
    notes: bool = False
    """Whether every slide after the first has notes for the speaker."""
    most_words: int = 60
    """On one slide, those of tables and charts aside."""
    language: str = "en"
    known_figures: tuple[str, ...] = ()
    """All figures of the document: others are invented."""


class DeckMadeParams(Record):
    """A deck at a place, as it is asked for."""

    path: str
    spec: DeckSpec
