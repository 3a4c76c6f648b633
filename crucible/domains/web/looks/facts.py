"""What the script `collect.js` finds in a page, checked: it runs apart from the page's scripts, but what it tells of is
somebody's work, and a page may be of any size and shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from crucible.browsing import Look
from crucible.domains.looks.colours import Colour, stack
from crucible.domains.looks.geometry import Box, holds_middle, surround
from crucible.domains.looks.measures import measure_picture
from crucible.domains.looks.pixels import NoPicture, Pixels
from crucible.errors import PageFailed
from crucible.record import Record

SCRIPT = Path(__file__).with_name("collect.js").read_text()

BLANK_CONTOURS = 0.001
"""A picture with a smaller share of contours shows nothing."""
SHRUNK = 8
"""What is cut off at so few pixels is not to be seen."""

Pixel = Annotated[float, Field(ge=-2e6, le=2e6, allow_inf_nan=False)]
Place = tuple[Pixel, Pixel, Pixel, Pixel]
Channel = Annotated[int, Field(ge=0, le=255)]
Rgba = tuple[Channel, Channel, Channel, Annotated[float, Field(ge=0, le=1)]]
Short = Annotated[str, Field(max_length=200)]


def box_of(place: Place) -> Box:
    return Box(*place)


class PageFacts(Record):
    """The page as a whole."""

    width: Pixel
    height: Pixel
    scroll_width: Pixel
    viewport_height: Pixel
    viewport_meta: bool
    """Whether it asks phones for their own width."""
    hides_overflow: bool
    """Whether what sticks out to the right is cut off instead of scrolled to."""


class Text(Record):
    """A piece of text, and how it is written."""

    text: Short
    length: int
    holder: Short
    """What it stands in: `button`, `a`, `h1`, `td`; `placeholder` for a hint in a field."""
    size: Pixel
    family: Short
    weight: int
    colour: Rgba | None
    """None where it is cut out of a background."""
    opacity: float
    layers: tuple[Rgba, ...]
    """The colours it stands on, the lowest first."""
    known: bool
    """Whether these colours are all that it stands on; not so over pictures and gradients."""
    lines: tuple[Place, ...] = Field(min_length=1)
    line_height: Pixel
    block: Place
    clip: Place | None
    """What it is cut off by."""
    deliberate: bool
    """Whether it is cut off with dots, as its author wanted."""
    fixed: bool
    scrolls: bool
    """Whether it stands in something that scrolls sideways."""
    disabled: bool
    hidden: bool
    """Whether it is decoration, not to be read aloud."""
    covered: bool
    """Whether something else lies over it."""

    @property
    def boxes(self) -> tuple[Box, ...]:
        return tuple(map(box_of, self.lines))

    @property
    def box(self) -> Box:
        """All of its lines."""
        return surround(self.boxes)

    @property
    def cores(self) -> tuple[Box, ...]:
        """Its lines without the room above and below the letters."""
        height = 0.7 * self.size
        return tuple(Box(box.left, box.middle[1] - height / 2, box.width, height) for box in self.boxes)

    @property
    def is_large(self) -> bool:
        """Large by WCAG: 24 px, or 18.66 px and bold."""
        return self.size >= 24 or (self.size >= 18.66 and self.weight >= 700)

    @property
    def in_field(self) -> bool:
        """Whether its box is that of the field it stands in."""
        return self.holder in ("input", "textarea", "select", "placeholder")

    @property
    def ground(self) -> Colour:
        """The colour it stands on, by the styles."""
        return stack([Colour(*layer) for layer in self.layers])

    @property
    def is_meant(self) -> bool:
        """Whether it is meant to be seen: not transparent, nor behind something, nor cut down to nothing as texts for
        screen readers and closed menus are."""
        shrunk = self.clip is not None and min(self.clip[2:]) <= SHRUNK
        return self.opacity >= 0.1 and not self.covered and not shrunk

    @property
    def is_legible(self) -> bool:
        """Whether it is meant to be seen, and where it begins is not cut off."""
        return self.is_meant and self.shows(self.boxes[0])

    def shows(self, line: Box) -> bool:
        """Whether a line of it is not cut off."""
        return self.clip is None or holds_middle(box_of(self.clip), line)


class Painted(Record):
    """An element that shows: a background, a border or a shadow."""

    box: Place
    where: Short
    background: Rgba | None
    image: Short
    """`gradient`, `url`, or nothing."""
    gradient: Short
    border: Place
    line: Rgba | None
    """The colour of its border."""
    text_clip: bool
    """Whether its background is seen only in its letters."""
    flow: bool
    control: bool


class Picture(Record):
    """An image."""

    box: Place
    where: Short
    complete: bool
    asked: bool
    """Whether it names a source."""
    natural: tuple[int, int]
    fit: Short


class Control(Record):
    """Something to be clicked or filled in."""

    box: Place
    where: Short
    kind: Short
    """`button`, `a`, `select`, or the type of an input."""
    label: Short
    inline: bool
    """A link within a sentence."""
    disabled: bool
    repeats: bool
    """Whether it belongs to one of many like things: a row, a list item, a card."""
    background: Rgba | None
    border: Place
    appearance: Short
    line: Short
    radius: Pixel
    family: Short
    colour: Rgba | None
    target: Place
    """What can be clicked: its label too."""


class Heading(Record):
    """A heading."""

    box: Place
    level: int
    size: Pixel
    weight: int
    text: Short


class Stray(Record):
    """An element that sticks out to the right."""

    box: Place
    where: Short


class Facts(Record):
    """All that is known of a page at one width."""

    page: PageFacts
    texts: tuple[Text, ...]
    boxes: tuple[Painted, ...]
    images: tuple[Picture, ...]
    controls: tuple[Control, ...]
    headings: tuple[Heading, ...]
    groups: tuple[tuple[Place, ...], ...]
    """Elements that stand in one other, group by group."""
    strays: tuple[Stray, ...]


@dataclass(frozen=True)
class Seen:
    """A page at one width, in one state: the facts, and its picture."""

    width: int
    state: str
    """How it was reached; empty for the page as it loads."""
    facts: Facts
    picture: bytes

    @classmethod
    def of(cls, look: Look, state: str = "") -> Seen:
        """A look with its facts checked. PageFailed when they are not what the script would tell."""
        try:
            return cls(look.width, state, Facts.model_validate(look.facts), look.picture)
        except ValidationError as wrong:
            raise PageFailed(f"the page cannot be measured: {wrong.errors()[0]['msg']}") from wrong

    @cached_property
    def pixels(self) -> Pixels:
        """The pixels of its picture. PageFailed when it cannot be read."""
        try:
            return Pixels.read(self.picture)
        except NoPicture as unreadable:
            raise PageFailed(f"the picture of the page cannot be read: {unreadable}") from unreadable

    @cached_property
    def is_blank(self) -> bool:
        """Whether there is nothing to see: every rule would be met."""
        return not self.legible and not self.facts.images and measure_picture(self.pixels).contours < BLANK_CONTOURS

    @cached_property
    def legible(self) -> tuple[Text, ...]:
        """The texts that are meant to be seen."""
        return tuple(text for text in self.facts.texts if text.is_legible)
