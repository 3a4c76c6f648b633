"""Where the text of a deck's shapes stands on its printed pages.

A page knows words and not shapes. It draws shapes in their order, so the words of a paragraph follow each other there,
and are looked for after those of the paragraph before it. What is not found (a number that the suite fills in, letters
that run from right to left) is left out: rules speak of what they can see.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crucible.documents import PrintedPage, Word
from crucible.domains.looks.geometry import Box, common_area, surround
from crucible.domains.office.decks.deck import Deck, Shape, Slide


@dataclass(frozen=True)
class PlacedText:
    """What a shape says, where it was drawn. All lengths are in points."""

    shape: Shape
    words: tuple[Word, ...]

    @property
    def lines(self) -> list[Box]:
        """One box around the letters of each line."""
        lines: list[list[Box]] = []
        for word in self.words:
            box = Box(*word.box)
            if lines and _on_one_line(lines[-1][-1], box):
                lines[-1].append(box)
            else:
                lines.append([box])
        return [surround(line) for line in lines]

    @property
    def box(self) -> Box:
        return surround([Box(*word.box) for word in self.words])

    @property
    def beginning(self) -> str:
        """Its beginning, to be quoted."""
        return " ".join(word.text for word in self.words)[:40]


@dataclass(frozen=True)
class PrintedSlide:
    """A slide and the page it was printed on."""

    number: int
    slide: Slide
    page: PrintedPage
    texts: tuple[PlacedText, ...]


def print_slides(deck: Deck, pages: Sequence[PrintedPage]) -> list[PrintedSlide]:
    """The slides that were printed, with their texts."""
    return [
        PrintedSlide(number, slide, page, tuple(place_texts(slide, page)))
        for (number, slide), page in zip(deck.list_shown(), pages, strict=False)
    ]


def place_texts(slide: Slide, page: PrintedPage) -> Iterator[PlacedText]:
    """The texts that were found on the page, one for each shape; a chart has the words that are left within it."""
    stream = _Stream(page.words)
    for shape in slide.shapes:
        words = [word for text in shape.texts for word in stream.take(text)]
        if words:
            yield PlacedText(shape, tuple(words))
    for shape in slide.shapes:
        if shape.chart and None not in shape.box and (words := stream.take_within(frame_of_shape(shape))):
            yield PlacedText(shape, tuple(words))


def frame_of_shape(shape: Shape) -> Box:
    """Its frame; without a size where that is nowhere said."""
    return Box(*(edge or 0.0 for edge in shape.box)) if shape.box else Box(0, 0, 0, 0)


class _Stream:
    """The words of a page in the order in which they were drawn; each is taken once."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = words
        self._text = ""
        self._starts: dict[int, int] = {}
        """The number of the word that begins at a place of the text."""
        for number, word in enumerate(words):
            self._starts[len(self._text)] = number
            self._text += fold_text(word.text)
        self._starts[len(self._text)] = len(words)
        self._taken: set[int] = set()
        self._at = 0

    def take(self, text: str) -> list[Word]:
        """The words of a paragraph, the next ones that say so; none where there are no such words."""
        wanted = fold_text(text)
        if not wanted:
            return []
        for begin in (self._at, 0):
            place = self._text.find(wanted, begin)
            while place >= 0:
                first, end = self._starts.get(place), self._starts.get(place + len(wanted))
                if first is not None and end is not None and self._taken.isdisjoint(range(first, end)):
                    self._taken.update(range(first, end))
                    self._at = place + len(wanted)
                    return list(self._words[first:end])
                place = self._text.find(wanted, place + 1)
        return []

    def take_within(self, frame: Box) -> list[Word]:
        """The words that nobody took yet and that stand within a frame."""
        found = [
            number
            for number, word in enumerate(self._words)
            if number not in self._taken and common_area(Box(*word.box), frame) > 0
        ]
        self._taken.update(found)
        return [self._words[number] for number in found]


def fold_text(text: str) -> str:
    """Letters without blanks and case: a deck may say `Ag enda` and show AGENDA."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _on_one_line(one: Box, other: Box) -> bool:
    """Whether two boxes that were drawn one after the other share most of their height."""
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return other.left >= one.left and shared > 0.3 * min(one.height, other.height)
