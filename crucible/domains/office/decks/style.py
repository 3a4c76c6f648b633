"""Measures of a deck's style: a matter of degree, and never a reason to reject a deck alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from crucible.domains.looks.colours import Colour, hue_family
from crucible.domains.looks.geometry import Box, is_aligned
from crucible.domains.looks.measures import measure_picture
from crucible.domains.looks.pixels import Pixels
from crucible.domains.office.decks.limits import DeckLimits, load_deck_table
from crucible.domains.office.decks.rules import FURNITURE
from crucible.domains.office.decks.text import PrintedSlide, frame_of_shape

Slides = Sequence[PrintedSlide]
TITLES = ("TITLE", "CENTER_TITLE")
LEAST_HUE = 0.005
"""A hue that covers less of a page than this is not counted."""


@dataclass(frozen=True)
class Styled:
    """What a measure says of a deck."""

    share: float
    """How much of it is right, from 0 to 1."""
    said: str


def measure_alignment(slides: Slides, limits: DeckLimits) -> Styled:
    """Things on a slide that share a line with another."""
    right = total = 0
    for printed in slides:
        boxes = [frame_of_shape(shape) for shape in printed.slide.shapes if shape.box and None not in shape.box]
        if len(boxes) >= limits.align_least:
            total += len(boxes)
            right += sum(_is_in_line(number, boxes, limits) for number in range(len(boxes)))
    return _share(right, total, "things are aligned")


def _is_in_line(number: int, boxes: list[Box], limits: DeckLimits) -> bool:
    others = [*boxes[:number], *boxes[number + 1 :]]
    return is_aligned(boxes[number], others, limits.align_tolerance, limits.align_company)


def measure_margins(slides: Slides, limits: DeckLimits) -> Styled:
    """Texts that keep away from the edges of the slide; dates and page numbers need not."""
    texts = [(each, text.box) for each in slides for text in each.texts if text.shape.placeholder not in FURNITURE]
    right = sum(
        min(box.left, box.top, each.page.width - box.right, each.page.height - box.bottom) >= limits.margin
        for each, box in texts
    )
    return _share(right, len(texts), "texts keep the margin")


def measure_density(slides: Slides, limits: DeckLimits) -> Styled:
    """Slides that are not crammed with words."""
    counts = [len(printed.page.words) for printed in slides]
    return _share(
        sum(count <= limits.words for count in counts), len(counts), f"slides have {limits.words} words at most"
    )


def measure_palette(slides: Slides, limits: DeckLimits) -> Styled:
    """Few hues in the whole deck, pictures included."""
    hues: set[int] = set()
    for printed in slides:
        channels = Pixels.read(printed.page.picture).channels[::8, ::8].reshape(-1, 3)
        counts = Counter(hue_family(Colour(*(int(value) for value in pixel))) for pixel in channels)
        hues |= {hue for hue, count in counts.items() if hue is not None and count >= LEAST_HUE * len(channels)}
    share = min(1.0, limits.hues / len(hues)) if hues else 1.0
    return Styled(share, f"{len(hues)} hues")


def measure_type(slides: Slides, limits: DeckLimits) -> Styled:
    """Few sizes of letters on a slide, and titles larger than the text."""
    right = total = 0
    for printed in slides:
        words = [(text.shape.placeholder in TITLES, word.size) for text in printed.texts for word in text.words]
        sizes = {size for _, size in words}
        titles, rest = [size for title, size in words if title], [size for title, size in words if not title]
        leads = not titles or not rest or max(titles) >= limits.title_scale * float(np.median(rest))
        total += 2 * bool(words)
        right += bool(words) * (leads + (len(sizes) <= limits.sizes))
    return _share(right, total, "slides have few sizes, and a title that leads")


def measure_consistency(slides: Slides, limits: DeckLimits) -> Styled:
    """Titles that begin where most titles of slides of the same layout do."""
    places: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for printed in slides:
        for shape in printed.slide.shapes:
            if shape.placeholder in TITLES and None not in shape.box:
                frame = frame_of_shape(shape)
                places[printed.slide.layout].append((frame.left, frame.top))
    right = total = 0
    for found in places.values():
        usual = np.median(found, axis=0)
        total += len(found)
        right += sum(bool(np.abs(np.array(place) - usual).max() <= limits.title_drift) for place in found)
    return _share(right, total, "titles stand where the others do")


def _share(right: int, total: int, what: str) -> Styled:
    return Styled(right / total if total else 1.0, f"{right} of {total} {what}" if total else "nothing to measure")


STYLES: dict[str, Callable[[Slides, DeckLimits], Styled]] = {
    "alignment": measure_alignment,
    "margins": measure_margins,
    "density": measure_density,
    "palette": measure_palette,
    "type-scale": measure_type,
    "consistency": measure_consistency,
}


def measure_style(slides: Slides) -> Iterator[tuple[str, Styled]]:
    """Every measure of the table, over all slides."""
    table = load_deck_table()
    for name in table.styles:
        yield name, STYLES[name](slides, table.limits)


def rate_pages(slides: Slides) -> float:
    """What the pictures of the pages come to, from 0 to 1: colourfulness, contours, white space, balance, entropy."""
    rates = [measure_picture(Pixels.read(printed.page.picture)).rate() for printed in slides]
    return sum(rates) / len(rates) if rates else 0.0
