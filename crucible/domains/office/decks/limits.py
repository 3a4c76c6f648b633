"""What the looks of a deck are measured against: limits, rules and questions, from `looks.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import Field

from crucible.datafile import read_file
from crucible.record import Record

TABLE = Path(__file__).with_name("looks.toml")


class DeckRule(Record):
    """One rule: what it asks, and how much of it is enough."""

    asks: str
    """The criterion, in words."""
    least: float = Field(ge=0, le=1)
    """The share that is enough."""
    weight: float = Field(default=1.0, ge=0)


class DeckLimits(Record):
    """The numbers that the rules go by. All lengths are in points."""

    overlap_share: float
    overlap_area: float
    overflow: float
    """A text may stick out of its frame by so much."""
    off_slide: float
    """A text may stick out of the slide by so much."""
    tiny: float
    """Letters below this size are tiny."""
    large: float
    """Letters from this size on need less contrast."""
    contrast: float
    contrast_large: float
    align_tolerance: float
    align_company: int
    """So many others must share a line for a thing to be aligned."""
    align_least: int
    """With fewer things on a slide there is nothing to align."""
    margin: float
    """Between text and the edge of the slide."""
    sizes: int
    """Of letters, on one slide."""
    hues: int
    """In one deck."""
    title_drift: float
    """So far may the titles of slides of one layout be apart."""
    title_scale: float
    """How much larger than the text a title is."""
    words: int
    """On one slide."""


class DeckTable(Record):
    """The whole file."""

    whole_weight: float
    """How much the deck as a whole counts beside the rules."""
    questions: tuple[str, ...]
    """What a model is asked of every deck, where one is configured."""
    prompts: tuple[str, ...]
    """How texts begin that a layout or a template left, in small letters."""
    limits: DeckLimits
    rules: dict[str, DeckRule]
    """About layout: what is wrong can be pointed at."""
    styles: dict[str, DeckRule]
    """About style: a matter of degree, asked of decks that were made and not of edits."""


@cache
def load_deck_table() -> DeckTable:
    """The limits, the rules and the questions."""
    return read_file(TABLE, DeckTable)
