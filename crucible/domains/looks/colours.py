"""Colours as people see them: luminance and contrast after WCAG 2.2, hue, and how much of a colour there is."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from typing import NamedTuple

DULL_SATURATION, DARK_VALUE = 0.25, 0.2
"""A colour below one of these is taken for a shade of grey."""
LOUD_SATURATION, LOUD_VALUE = 0.65, 0.75
"""A colour above both of these shouts."""
HUE_FAMILIES = 12
"""Red, orange, yellow and so on: each a twelfth of the circle."""


class Colour(NamedTuple):
    """Red, green and blue from 0 to 255, and how opaque it is from 0 to 1."""

    red: int
    green: int
    blue: int
    alpha: float = 1.0


WHITE = Colour(255, 255, 255)


def linearise(channel: float) -> float:
    """One channel from 0 to 255 as the share of light that it stands for."""
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def luminance(colour: Colour) -> float:
    """Relative luminance, from 0 to 1."""
    return 0.2126 * linearise(colour.red) + 0.7152 * linearise(colour.green) + 0.0722 * linearise(colour.blue)


def contrast(one: float, other: float) -> float:
    """The contrast of two luminances, from 1 to 21."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def blend(colour: Colour, below: Colour, opacity: float = 1.0) -> Colour:
    """What is seen of a colour that lies over an opaque one."""
    alpha = colour.alpha * opacity
    red, green, blue = (
        round(above * alpha + under * (1 - alpha)) for above, under in zip(colour[:3], below[:3], strict=True)
    )
    return Colour(red, green, blue)


def stack(layers: Sequence[Colour], ground: Colour = WHITE) -> Colour:
    """What is seen of colours that lie over each other, the lowest first."""
    for layer in layers:
        ground = blend(layer, ground)
    return ground


def distance(one: Colour, other: Colour) -> int:
    """How far two colours are apart in the channel where they differ most."""
    return max(abs(mine - its) for mine, its in zip(one[:3], other[:3], strict=True))


def is_loud(colour: Colour) -> bool:
    """Whether a colour is bright and pure enough to shout."""
    _, saturation, value = colorsys.rgb_to_hsv(colour.red / 255, colour.green / 255, colour.blue / 255)
    return saturation > LOUD_SATURATION and value > LOUD_VALUE


def hue_family(colour: Colour) -> int | None:
    """Which part of the colour circle a colour belongs to; None for shades of grey."""
    hue, saturation, value = colorsys.rgb_to_hsv(colour.red / 255, colour.green / 255, colour.blue / 255)
    chroma = saturation * value
    if saturation < DULL_SATURATION or value < DARK_VALUE or chroma < 0.12:
        return None
    return round(hue * HUE_FAMILIES) % HUE_FAMILIES
