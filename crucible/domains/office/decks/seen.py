"""What of a deck its audience sees: words that were printed, on the slide, and that differ from what they stand on.

A deck that was made is asked about this and not about what its file says: text in the colour of its ground, without a
fill, beyond the edge, under a picture or on a hidden slide tells an audience nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from crucible.documents import PrintedPage, Word
from crucible.domains.looks.geometry import Box, common_area
from crucible.domains.looks.pixels import Pixels
from crucible.domains.office.decks.deck import Deck, Shape, Slide
from crucible.domains.office.decks.rules import scale_box
from crucible.domains.office.decks.text import fold_text, frame_of_shape

NEARER = 0.92
"""Some pixel of a word is nearer to its colour than its ground is, by this factor: thin letters are drawn faintly."""
LEAST_DIFFERENCE = 12.0
"""A colour that is nearer to its ground than this cannot be told from it; black and white are 442 apart."""
LEAST_WORD_POINTS = 3.0
"""Letters that are lower than this nobody reads."""
LEAST_CHART_SHARE = 0.02
"""A chart covers so much of the slide, at least."""
LONG_WORD = 4
"""A word of so many letters is looked for within others too: programs differ in where they part words."""


def keep_seen(deck: Deck, pages: Sequence[PrintedPage]) -> Deck:
    """The deck with the words, cells and charts that can be seen; what was not printed for want of pages stays."""
    printed = dict(zip((number for number, _ in deck.list_shown()), pages, strict=False))
    slides = [
        _keep_seen_on(slide, printed[number]) if number in printed else _without_hidden(slide)
        for number, slide in enumerate(deck.slides, start=1)
    ]
    return deck.model_copy(update={"slides": tuple(slides)})


def _without_hidden(slide: Slide) -> Slide:
    return slide.model_copy(update={"shapes": ()}) if slide.hidden else slide


def _keep_seen_on(slide: Slide, page: PrintedPage) -> Slide:
    pixels = Pixels.read(page.picture)
    seen = SeenWords(word for word in page.words if is_seen(word, page, pixels))
    shapes = tuple(_keep_seen_of(shape, seen, page, pixels) for shape in slide.shapes)
    return slide.model_copy(update={"shapes": shapes})


def _keep_seen_of(shape: Shape, seen: SeenWords, page: PrintedPage, pixels: Pixels) -> Shape:
    if shape.hidden:  # the suite prints placeholders all the same
        return shape.model_copy(update={"paragraphs": (), "table": (), "chart": None})
    paragraphs = tuple(each.model_copy(update={"text": seen.filter(each.text)}) for each in shape.paragraphs)
    table = tuple(tuple(seen.filter(cell) for cell in row) for row in shape.table)
    chart = shape.chart if shape.chart and is_drawn(shape, page, pixels) else None
    return shape.model_copy(update={"paragraphs": paragraphs, "table": table, "chart": chart})


class SeenWords:
    """The words of a page that can be seen."""

    def __init__(self, words: Iterator[Word]) -> None:
        self._text = ""
        self._edges = {0}
        """Where words of the text begin and end."""
        for word in words:
            self._text += fold_text(word.text)
            self._edges.add(len(self._text))

    def filter(self, text: str) -> str:
        """A text with those of its words that are among them."""
        return "\n".join(" ".join(word for word in line.split() if self._holds(word)) for line in text.splitlines())

    def _holds(self, word: str) -> bool:
        wanted = fold_text(word)
        place = self._text.find(wanted)
        while place >= 0:
            if len(wanted) >= LONG_WORD or {place, place + len(wanted)} <= self._edges:
                return True
            place = self._text.find(wanted, place + 1)
        return False


def is_seen(word: Word, page: PrintedPage, pixels: Pixels) -> bool:
    """Whether a word stands on the page and shows on its picture."""
    box = Box(*word.box)
    if common_area(box, Box(0, 0, page.width, page.height)) < box.area / 2 or 0 < word.size < LEAST_WORD_POINTS:
        return False
    where = pixels.slices(scale_box(box.shrink(-1), pixels.size[0] / page.width))
    if where is None:
        return True
    part = pixels.channels[where].reshape(-1, 3).astype(np.float32)
    apart = np.linalg.norm(part - np.array(word.colour, dtype=np.float32), axis=1)
    ground = float(np.percentile(apart, 90))
    return ground >= LEAST_DIFFERENCE and float(apart.min()) <= NEARER * ground


def is_drawn(shape: Shape, page: PrintedPage, pixels: Pixels) -> bool:
    """Whether a chart is large enough to be seen, and something shows at its place."""
    frame, paper = frame_of_shape(shape), Box(0, 0, page.width, page.height)
    if common_area(frame, paper) < LEAST_CHART_SHARE * paper.area:
        return False
    where = pixels.slices(scale_box(frame, pixels.size[0] / page.width))
    return where is not None and bool(np.ptp(pixels.channels[where].reshape(-1, 3), axis=0).max() >= LEAST_DIFFERENCE)
