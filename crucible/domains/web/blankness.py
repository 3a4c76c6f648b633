"""Whether a picture of an application shows anything at all."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from crucible.record import Record

DOMINANT_GREY = 0.995
"""A picture is blank where one shade of grey has a larger share of it, and ..."""
EDGE_SHARE = 0.0002
"""... fewer of its pixels than this stand at an edge: the picture of one small button has three times as many."""
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
        grey = np.asarray(image.convert("L"))
    around = np.pad(grey, 1, mode="edge")
    spread = _pick_of_neighbours(np.maximum, around) - _pick_of_neighbours(np.minimum, around)
    dominant = int(np.bincount(grey.ravel()).max()) / grey.size
    edges = int(np.count_nonzero(spread > EDGE_STEP)) / grey.size
    return Blankness(dominant=round(dominant, 5), edges=round(edges, 6))


def _pick_of_neighbours(pick: np.ufunc, around: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The lightest or the darkest of every pixel and its eight neighbours, of a picture with a margin of one pixel."""
    rows = pick(pick(around[:-2], around[1:-1]), around[2:])
    picked: NDArray[np.uint8] = pick(pick(rows[:, :-2], rows[:, 1:-1]), rows[:, 2:])
    return picked
