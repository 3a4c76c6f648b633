"""Colours: contrast as WCAG counts it, what is seen through layers, and hues."""

from __future__ import annotations

import pytest

from crucible.domains.looks.colours import Colour, blend, contrast, hue_family, is_loud, luminance, stack


def test_contrast_is_what_wcag_says() -> None:
    white, black, grey = (luminance(Colour(*[channel] * 3)) for channel in (255, 0, 0x76))
    assert contrast(white, black) == pytest.approx(21)
    assert contrast(grey, white) == pytest.approx(4.54, abs=0.01)


def test_what_is_seen_of_a_layer_depends_on_what_lies_below_and_how_opaque_it_is() -> None:
    assert blend(Colour(0, 0, 0, 0.5), Colour(255, 255, 255)) == Colour(128, 128, 128)
    assert blend(Colour(0, 0, 0), Colour(255, 255, 255), opacity=0.0) == Colour(255, 255, 255)
    assert stack([Colour(10, 20, 30), Colour(255, 0, 0, 0.0)]) == Colour(10, 20, 30)


def test_greys_and_tints_of_grey_have_no_hue() -> None:
    assert hue_family(Colour(128, 130, 127)) is None
    assert hue_family(Colour(20, 25, 33)) is None
    assert hue_family(Colour(200, 20, 30)) != hue_family(Colour(20, 160, 40))


def test_bright_and_pure_colours_are_loud_and_dark_or_pale_ones_are_not() -> None:
    assert is_loud(Colour(255, 43, 214))
    assert not is_loud(Colour(11, 110, 110))
    assert not is_loud(Colour(226, 243, 231))
