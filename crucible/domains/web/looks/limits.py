"""What the rules of looks hold against a page: limits and weights, from `looks.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from crucible.datafile import read_file
from crucible.record import Record

TABLE = Path(__file__).with_name("looks.toml")


class RuleRow(Record):
    """One rule: what it asks, and how much of it is enough."""

    asks: str
    """The criterion, in words."""
    at: Literal["all", "wide", "phone"] = "all"
    """At which widths it is asked."""
    least: float = Field(ge=0, le=1)
    """The share that is enough."""
    grave: float = Field(default=0.0, ge=0, le=1)
    """A share below this rejects the application: it cannot be used."""
    weight: float = Field(default=1.0, ge=0)


class AxeRow(Record):
    """Rules of axe-core that are asked together."""

    asks: str
    tags: tuple[str, ...]
    """Categories of axe-core; a rule that belongs to several counts where it comes first."""
    weight: float = Field(default=0.5, ge=0)


class Limits(Record):
    """The numbers that the rules go by. All lengths are in pixels of the page."""

    overflow: float
    """A page may be so much wider than its window."""
    distortion: float
    """The natural logarithm of how far an image may be stretched one way."""
    smallest_image: float
    """Icons below this are not looked at."""
    contrast: float
    contrast_large: float
    visible: float
    """Less contrast than this between letters and ground, and nobody sees that there is a text."""
    ground_difference: int
    """So far a channel of the picture may be from what the styles say before the picture is believed."""
    overlap_share: float
    overlap_area: float
    cut_off: float
    """A text may stick out of what cuts it off by so much."""
    align_tolerance: float
    align_company: int
    """So many others must share a line for a thing to be aligned."""
    align_least: int
    """With fewer things there is nothing to align."""
    gap_tolerance: float
    gap_company: int
    """A distance that occurs so often is part of a rhythm."""
    gap_step: float
    """Distances on a scale of such steps go together."""
    gaps_least: int
    padding: float
    """Between a text and the side of the box it stands in."""
    padding_above: float
    margin: float
    """Between a text and the side of the page."""
    leading: float
    """The height of a line in sizes of its letters, where a text has several lines."""
    sizes: int
    families: int
    smallest_text: float
    hues: int
    colours: int
    loud_hues: int
    """Bright hues that may cover much of a page beside each other."""
    loud_area: float
    """The share of the page that is much."""
    hierarchy_least: int
    """With fewer texts there is nothing to lead through."""
    heading_scale: float
    """How much larger than the text the largest heading is."""
    primary_actions: int
    gradient_area: float
    """The share of the page that gradients may cover."""
    gradient_kinds: int
    gradient_steps: int
    """A gradient whose colours differ by less is hardly seen."""
    touch: float
    narrow: float
    """A column of text below this width is squeezed, if it has many lines."""
    narrow_lines: int
    phone_text: float


class Table(Record):
    """The whole file."""

    widths: tuple[int, ...]
    """The first is the wide one, the last a phone's."""
    whole_weight: float
    """How much the page as a whole counts beside the rules."""
    limits: Limits
    rules: dict[str, RuleRow]
    axe: dict[str, AxeRow]
    questions: tuple[str, ...]
    """What a model is asked of every page, where one is configured."""


@cache
def load_table() -> Table:
    """The limits, the rules and the questions."""
    return read_file(TABLE, Table)
