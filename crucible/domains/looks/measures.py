"""Measures of a whole picture that go along with what people find pleasant: colourfulness, contours, white space,
balance, entropy. They agree with people only in part, and less on newer designs: a soft term, never a gate.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from crucible.datafile import read_row
from crucible.domains.looks.pixels import Light, Pixels
from crucible.record import Record

TABLE = Path(__file__).with_name("measures.toml")
STEP = 2
"""Every second pixel is looked at: the measures do not change, and the time is a quarter."""
EDGE = 0.08
"""A difference between neighbours that is seen as a contour, in shares of the full range."""
CELL = 8
"""White space is counted in squares of so many of the pixels that are looked at."""


class Range(NamedTuple):
    """What is good (1 between the inner two), and where it ends (0 outside of the outer two)."""

    none_below: float
    good_from: float
    good_to: float
    none_above: float

    def rate(self, value: float) -> float:
        """From 0 to 1, rising and falling evenly."""
        if value < self.good_from:
            return max(0.0, (value - self.none_below) / max(1e-9, self.good_from - self.none_below))
        if value > self.good_to:
            return max(0.0, (self.none_above - value) / max(1e-9, self.none_above - self.good_to))
        return 1.0


class Ranges(Record):
    """What is good for each measure."""

    colourfulness: Range
    contours: Range
    white_space: Range
    balance: Range
    entropy: Range


class Measures(NamedTuple):
    """The measures of one picture."""

    colourfulness: float
    """After Hasler and Suesstrunk: about 0 for greys, above 80 for a shop window."""
    contours: float
    """The share of pixels at which the light changes."""
    white_space: float
    """The share of the picture where nothing happens."""
    balance: float
    """1 where the contours of both halves are alike in number, 0 where all of them are in one half."""
    entropy: float
    """Bits of the distribution of light: 0 for a blank page, 8 at most."""

    def rate(self) -> float:
        """From 0 to 1, the mean over the measures."""
        ranges = read_row(TABLE, "ranges", Ranges)
        rates = [float(getattr(ranges, name).rate(value)) for name, value in self._asdict().items()]
        return sum(rates) / len(rates)

    def describe(self) -> str:
        return ", ".join(f"{name.replace('_', ' ')} {value:.2f}" for name, value in self._asdict().items())


def measure_picture(pixels: Pixels) -> Measures:
    """All measures of one picture."""
    channels = pixels.channels[::STEP, ::STEP].astype(np.float32)
    grey = channels.mean(axis=2) / 255
    edges = _find_edges(grey)
    return Measures(_colourfulness(channels), float(edges.mean()), _white_space(edges), _balance(edges), _entropy(grey))


def _find_edges(grey: Light) -> Light:
    """1 at pixels that differ from the next one, to the right or below."""
    across = np.abs(np.diff(grey, axis=1))[:-1]
    down = np.abs(np.diff(grey, axis=0))[:, :-1]
    return (np.maximum(across, down) > EDGE).astype(np.float32)


def _colourfulness(channels: Light) -> float:
    red, green, blue = channels[..., 0], channels[..., 1], channels[..., 2]
    first, second = red - green, (red + green) / 2 - blue
    spread = float(np.hypot(first.std(), second.std()))
    return spread + 0.3 * float(np.hypot(first.mean(), second.mean()))


def _white_space(edges: Light) -> float:
    rows, columns = (length // CELL * CELL for length in edges.shape)
    if not rows or not columns:
        return 0.0
    cells = edges[:rows, :columns].reshape(rows // CELL, CELL, columns // CELL, CELL).max(axis=(1, 3))
    return float(1 - cells.mean())


def _balance(edges: Light) -> float:
    middle = edges.shape[1] // 2
    left, right = float(edges[:, :middle].sum()), float(edges[:, -middle:].sum()) if middle else 0.0
    return 1 - abs(left - right) / (left + right) if left + right else 0.0


def _entropy(grey: Light) -> float:
    counts = np.bincount((grey * 255).astype(np.int64).ravel(), minlength=256)
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())
