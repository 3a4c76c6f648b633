"""Which pictures show something."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw

from crucible.domains.web.blankness import measure_blankness


def draw(text: str, ground: str = "white", ink: str = "black") -> bytes:
    picture = Image.new("RGB", (1280, 800), ground)
    ImageDraw.Draw(picture).text((20, 20), text, fill=ink, font_size=32)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def draw_menu() -> bytes:
    """A page that shows nothing but the three bars of a menu, 20 pixels wide."""
    picture = Image.new("RGB", (1280, 800), "white")
    for top in (20, 27, 34):
        ImageDraw.Draw(picture).rectangle((20, top, 39, top + 2), fill="#49a6e9")
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("picture", "blank"),
    [
        (draw(""), True),
        (draw("", ground="#203040"), True),
        (draw("A heading that nobody sees", ink="#fefefe"), True),
        (draw("Notes"), False),
        (draw_menu(), False),
    ],
)
def test_a_picture_of_one_colour_is_blank_and_one_of_a_word_is_not(picture: bytes, blank: bool) -> None:
    assert measure_blankness(picture).is_blank is blank
