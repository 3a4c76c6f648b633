"""Figures in running text, however they are written: `1,284`, `1 284` and `1.284` may be the same number."""

from __future__ import annotations

import re
from collections.abc import Iterable

FIGURE = re.compile(r"(?<!\d)\d{1,3}(?:[.,'\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?")
# matches: 1,284  12.5  1 284  3  2024
GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
# matches: 1,284  1.284.000
NUMBERING = re.compile(r"^\s*\d{1,2}[.)]\s")
# matches: "1. First"  "2) Second"

Readings = frozenset[float]
"""What a figure may stand for: `1.284` is read in two ways."""


def list_figures(text: str) -> list[tuple[str, Readings]]:
    """The figures of a text, as they are written and as they may be read."""
    return [(match[0], read_figure(match[0])) for match in FIGURE.finditer(NUMBERING.sub("", text))]


def read_figure(written: str) -> Readings:
    """The numbers that a figure may stand for."""
    plain = re.sub(r"['\u00a0\u202f ]", "", written)
    readings = {_number(plain.replace(",", "."))}
    if GROUPED.fullmatch(plain):
        readings.add(_number(re.sub(r"[.,]", "", plain)))
    elif "," in plain and "." in plain:
        group = min(",.", key=plain.rindex)  # what comes last is the decimal sign
        readings.add(_number(plain.replace(group, "").replace(",", ".")))
    return frozenset(reading for reading in readings if reading is not None)


def _number(written: str) -> float | None:
    try:
        return float(written)
    except ValueError:  # two decimal signs
        return None


def holds(readings: Readings, known: Iterable[Readings]) -> bool:
    """Whether a figure is among others."""
    return any(readings & one for one in known)
