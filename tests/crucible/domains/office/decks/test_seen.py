"""What an audience sees of a deck: words that are printed, on the slide, and stand out from their ground."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw

from crucible.documents import PrintedPage, Word
from crucible.domains.office.decks.deck import ChartData, Deck, Shape, Slide
from crucible.domains.office.decks.seen import keep_seen
from tests.crucible.domains.office.decks.printed import HEIGHT, WIDTH, Place, text_shape, word

WHITE = (255, 255, 255)
TEXT = "Loans rose to 1,284"


def print_words(words: list[Word], *drawn: Word) -> PrintedPage:
    """A white page that has these words; letters are drawn as thin strokes in their colour."""
    image = Image.new("RGB", (800, 600), "white")
    pen, scale = ImageDraw.Draw(image), 800 / WIDTH
    for each in drawn:
        left, top, width, height = (edge * scale for edge in each.box)
        for across in range(int(left), int(left + width), 5):
            pen.line((across, top, across, top + height), fill=each.colour)
    packed = io.BytesIO()
    image.save(packed, "PNG")
    return PrintedPage(packed.getvalue(), WIDTH, HEIGHT, tuple(words))


def place_words(text: str, left: float = 40, **looks: object) -> list[Word]:
    return [word(each, (left + 80 * n, 100, 60, 20), **looks) for n, each in enumerate(text.split())]  # type: ignore[arg-type]


def see(page: PrintedPage, *shapes: Shape, hidden: bool = False) -> Slide:
    slide = Slide(layout="Blank", hidden=hidden, shapes=shapes)
    deck = Deck(width=WIDTH, height=HEIGHT, slides=(slide,))
    return keep_seen(deck, [] if hidden else [page]).slides[0]


def test_text_that_stands_out_is_seen() -> None:
    words = place_words(TEXT)
    assert see(print_words(words, *words), text_shape(1, TEXT, (40, 90, 400, 40))).shapes[0].text == TEXT


def test_a_word_that_is_printed_otherwise_costs_no_other() -> None:
    words = place_words(TEXT)
    assert see(print_words(words, *words), text_shape(1, f"🚀 {TEXT}", (40, 90, 400, 40))).shapes[0].text == TEXT


@pytest.mark.parametrize(
    ("words", "drawn"),
    [
        pytest.param(place_words(TEXT, colour=WHITE), True, id="in the colour of its ground"),
        pytest.param(place_words(TEXT), False, id="transparent, or under a picture"),
        pytest.param(place_words(TEXT, left=WIDTH + 10), True, id="beyond the edge"),
        pytest.param(place_words(TEXT, size=1), True, id="too small to be read"),
        pytest.param([], False, id="not printed at all"),
    ],
)
def test_text_that_nobody_sees_is_not_there(words: list[Word], drawn: bool) -> None:
    page = print_words(words, *(words if drawn else ()))
    assert not see(page, text_shape(1, TEXT, (40, 90, 400, 40))).shapes[0].text


def test_a_figure_within_another_does_not_count() -> None:
    words = place_words("In 2012")
    assert see(print_words(words, *words), text_shape(1, "12", (40, 90, 400, 40))).shapes[0].text == ""


def test_nothing_of_a_hidden_shape_or_slide_is_seen() -> None:
    words = place_words(TEXT)
    shape = text_shape(1, TEXT, (40, 90, 400, 40), hidden=True)
    assert not see(print_words(words, *words), shape).shapes[0].text
    assert not see(print_words(words, *words), text_shape(1, TEXT, (40, 90, 400, 40)), hidden=True).shapes


@pytest.mark.parametrize(("frame", "is_seen"), [((40, 60, 500, 300), True), ((40, 60, 5, 5), False)])
def test_a_chart_of_the_size_of_a_dot_is_not_seen(frame: Place, is_seen: bool) -> None:
    chart = ChartData(kind="LINE", categories=("a",), series={"s": (1.0,)})
    shape = Shape(id=1, name="Chart", box=frame, chart=chart)
    words = [word("a", (60, 70, 60, 20))]
    assert bool(see(print_words(words, *words), shape).shapes[0].chart) is is_seen
