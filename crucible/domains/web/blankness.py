"""Whether a picture of an application shows anything at all."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from crucible.record import Record

DOMINANT_GREY = 0.995
"""A picture is blank where one shade of grey has a larger share of it, and ..."""
EDGE_SHARE = 0.001
"""... fewer of its pixels than this differ from a neighbour. Both together flag 1 of 491 real pages."""
EDGE_STEP = 16
"""How far two neighbours differ that are an edge, of 255."""


class Blankness(Record):
    """What was measured in a picture."""

    dominant: float
    """The share of the shade that most pixels have."""
    edges: float
    """The share of pixels that differ from a neighbour."""

    @property
    def is_blank(self) -> bool:
        return self.dominant > DOMINANT_GREY and self.edges < EDGE_SHARE


def measure_blankness(picture: bytes) -> Blankness:
    """How much there is to see in a picture."""
    with Image.open(io.BytesIO(picture)) as image:
        grey = np.asarray(image.convert("L"), dtype=np.int16)
    dominant = np.bincount(grey.ravel(), minlength=256).max() / grey.size
    across, down = np.abs(np.diff(grey, axis=1)) > EDGE_STEP, np.abs(np.diff(grey, axis=0)) > EDGE_STEP
    edges = np.zeros(grey.shape, dtype=bool)
    edges[:, 1:] |= across
    edges[1:, :] |= down
    return Blankness(dominant=round(float(dominant), 5), edges=round(float(edges.mean()), 6))
