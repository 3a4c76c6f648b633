"""A picture as numbers: its pixels, the light they give, and what stands out in a part of it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from crucible.domains.looks.colours import linearise
from crucible.domains.looks.geometry import Box
from crucible.pictures import identify_picture

N = TypeVar("N", np.uint8, np.float32)
Channels = NDArray[np.uint8]
Light = NDArray[np.float32]

_LINEAR = np.array([linearise(channel) for channel in range(256)], dtype=np.float32)
_WEIGHTS = np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)
FRAME = 2
"""Pixels at the edge of a part that are taken for what lies behind it."""


class NoPicture(Exception):
    """The bytes are no picture, or one that is too large to be read."""


@dataclass(frozen=True)
class Pixels:
    """The pixels of a picture."""

    channels: Channels
    """Rows of columns of red, green and blue."""

    @classmethod
    def read(cls, data: bytes) -> Pixels:
        """Decode a picture. NoPicture when it is none: its header is looked at before anything is unpacked."""
        if identify_picture(data) is None:
            raise NoPicture("no picture of a size that can be read")
        try:
            with Image.open(io.BytesIO(data)) as image:
                return cls(np.asarray(image.convert("RGB")))
        except (UnidentifiedImageError, OSError, ValueError) as broken:
            raise NoPicture(str(broken)) from broken

    @cached_property
    def light(self) -> Light:
        """The luminance of every pixel, from 0 to 1."""
        linear = _LINEAR[self.channels]
        return (linear @ _WEIGHTS).astype(np.float32)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.channels.shape[1], self.channels.shape[0]

    def slices(self, box: Box) -> tuple[slice, slice] | None:
        """The rows and columns of a box; None where less than a pixel or two of it is in the picture."""
        width, height = self.size
        left, right = max(0, round(box.left)), min(width, round(box.right))
        top, bottom = max(0, round(box.top)), min(height, round(box.bottom))
        return (slice(top, bottom), slice(left, right)) if right - left >= 3 and bottom - top >= 3 else None


def frame_of(part: NDArray[N]) -> NDArray[N]:
    """The pixels along the edge of a part, where letters seldom reach."""
    depth = part.shape[2:]
    edges = (part[:FRAME], part[-FRAME:], part[:, :FRAME], part[:, -FRAME:])
    return np.concatenate([edge.reshape(-1, *depth) for edge in edges])
