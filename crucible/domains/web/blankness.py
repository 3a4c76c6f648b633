"""Whether a picture of an application shows anything at all."""

from __future__ import annotations

import io

from PIL import Image, ImageChops, ImageFilter

from crucible.record import Record

DOMINANT_GREY = 0.995
"""A picture is blank where one shade of grey has a larger share of it, and ..."""
EDGE_SHARE = 0.001
"""... fewer of its pixels than this stand at an edge. Both together flag 1 of 491 real pages."""
EDGE_STEP = 16
"""How far the pixels around one differ where there is an edge, of 255."""


class Blankness(Record):
    """What was measured in a picture."""

    dominant: float
    """The share of the shade that most pixels have."""
    edges: float
    """The share of pixels that stand at an edge."""

    @property
    def is_blank(self) -> bool:
        return self.dominant > DOMINANT_GREY and self.edges < EDGE_SHARE


def measure_blankness(picture: bytes) -> Blankness:
    """How much there is to see in a picture."""
    with Image.open(io.BytesIO(picture)) as image:
        grey = image.convert("L")
    spread = ImageChops.difference(grey.filter(ImageFilter.MaxFilter(3)), grey.filter(ImageFilter.MinFilter(3)))
    pixels = grey.width * grey.height
    dominant, edges = max(grey.histogram()) / pixels, sum(spread.histogram()[EDGE_STEP + 1 :]) / pixels
    return Blankness(dominant=round(dominant, 5), edges=round(edges, 6))
