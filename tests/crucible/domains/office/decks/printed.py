"""Small printed slides, made by hand: a shape is a text in a frame, and the places where its words were drawn."""

from __future__ import annotations

import io

from PIL import Image

from crucible.documents import PrintedPage, Word
from crucible.domains.office.decks.deck import Paragraph, Shape, Slide
from crucible.domains.office.decks.text import PrintedSlide, place_texts

WIDTH, HEIGHT = 720.0, 540.0
BLACK = (0, 0, 0)
Place = tuple[float, float, float, float]


def text_shape(number: int, text: str, frame: Place, **facts: object) -> Shape:
    """A shape of one paragraph."""
    told = {"id": number, "name": f"Text {number}", "box": frame, "paragraphs": (Paragraph(text=text),), **facts}
    return Shape.model_validate(told)


def word(text: str, box: Place, *, size: float = 20, colour: tuple[int, int, int] = BLACK) -> Word:
    return Word(text=text, box=box, size=size, colour=colour)


def print_slide(shapes: list[Shape], words: list[Word]) -> PrintedSlide:
    """A white page with these words."""
    drawn = io.BytesIO()
    Image.new("RGB", (800, 600), "white").save(drawn, "PNG")
    page = PrintedPage(drawn.getvalue(), WIDTH, HEIGHT, tuple(words))
    slide = Slide(layout="Blank", shapes=tuple(shapes))
    return PrintedSlide(1, slide, page, tuple(place_texts(slide, page)))
