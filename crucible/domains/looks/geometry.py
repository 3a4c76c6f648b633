"""Boxes on a picture, and how they stand to each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Box(NamedTuple):
    """A rectangle in pixels: where it begins, and its size."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def middle(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def area(self) -> float:
        return self.width * self.height

    def shrink(self, by: float) -> Box:
        """The box without a frame of so many pixels; never less than a pixel in size."""
        return Box(self.left + by, self.top + by, max(1.0, self.width - 2 * by), max(1.0, self.height - 2 * by))


def common_area(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.bottom, other.bottom) - max(one.top, other.top)
    return width * height if width > 0 and height > 0 else 0.0


def holds_middle(outer: Box, inner: Box) -> bool:
    """Whether the middle of one box lies within the other."""
    across, down = inner.middle
    return outer.left <= across <= outer.right and outer.top <= down <= outer.bottom


def surround(boxes: Sequence[Box]) -> Box:
    """The smallest box around all of them."""
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    return Box(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def find_overlaps(
    placed: Sequence[tuple[Box, T]], least_share: float, least_area: float
) -> Iterator[tuple[tuple[Box, T], tuple[Box, T]]]:
    """Pairs of boxes of different owners that share more than so much of the smaller one, and so many square pixels."""
    ordered = sorted(placed, key=lambda each: each[0].top)
    for place, (box, owner) in enumerate(ordered):
        for below, other in ordered[place + 1 :]:
            if below.top >= box.bottom:
                break
            shared = common_area(box, below)
            if owner != other and shared > max(least_area, least_share * min(box.area, below.area)):
                yield (box, owner), (below, other)


def is_aligned(box: Box, others: Sequence[Box], tolerance: float, company: int) -> bool:
    """Whether at least so many of the others share one of its lines: left, right or middle, top or bottom."""
    lines = _lines(box)
    shared = [0] * len(lines)
    for other in others:
        for number, (mine, its) in enumerate(zip(lines, _lines(other), strict=True)):
            shared[number] += abs(mine - its) <= tolerance
    return max(shared) >= company


def _lines(box: Box) -> tuple[float, ...]:
    return (box.left, box.right, box.middle[0], box.top, box.bottom, box.middle[1])


def gaps_between(boxes: Sequence[Box]) -> list[float]:
    """The distances between boxes that follow each other in a column or in a row; none where they do neither."""
    pairs = list(pairwise(boxes))
    if all(below.top >= above.bottom - 1 for above, below in pairs):
        return [below.top - above.bottom for above, below in pairs]
    if all(right.left >= left.right - 1 for left, right in pairs):
        return [right.left - left.right for left, right in pairs]
    return []
