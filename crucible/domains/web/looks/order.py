"""Rules about order: things stand on a few lines, distances repeat, and text has room around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from crucible.domains.looks.findings import NOTHING, Finding, Measured, measure_share
from crucible.domains.looks.geometry import Box, gaps_between, is_aligned
from crucible.domains.web.looks.facts import Place, Seen, Text, box_of
from crucible.domains.web.looks.limits import Limits

MOST_ALIGNED = 300
"""Things that are compared with each other, from the top of the page."""
WHOLE_WIDTH = 0.95
"""What is nearly as wide as the page is its ground, and aligned to nothing."""
SIDE_BY_SIDE = ("td", "th", "option", "code", "pre")
"""Texts whose place is the browser's doing, not the author's."""


def find_misaligned(seen: Seen, limits: Limits) -> Measured:
    """Texts and boxes that share no line with others."""
    things = list(_alignable(seen))[:MOST_ALIGNED]
    if len(things) < limits.align_least:
        return Measured(1.0, NOTHING)
    boxes = [box for box, _ in things]
    findings = [
        Finding(box, f"{what} stands alone")
        for place, (box, what) in enumerate(things)
        if not is_aligned(box, boxes[:place] + boxes[place + 1 :], limits.align_tolerance, limits.align_company)
    ]
    return measure_share(findings, len(things), "things stand on no line with others")


def _alignable(seen: Seen) -> Iterator[tuple[Box, str]]:
    """One box for each block of text, and the boxes that show."""
    blocks = set()
    for text in seen.legible:
        if text.block not in blocks and text.holder not in SIDE_BY_SIDE and not text.fixed:
            blocks.add(text.block)
            yield text.box, f"'{text.text[:30]}'"
    for painted in seen.facts.boxes:
        narrow = painted.box[2] < WHOLE_WIDTH * seen.facts.page.width
        if painted.flow and narrow and painted.box not in blocks and min(painted.box[2:]) >= 12:
            yield box_of(painted.box), painted.where


def find_uneven_gaps(seen: Seen, limits: Limits) -> Measured:
    """Distances between siblings that neither their likes nor the rest of the page have, and that are on no scale."""
    gaps = [gap for group in seen.facts.groups for gap in _gaps_of(group)]
    if len(gaps) < limits.gaps_least:
        return Measured(1.0, NOTHING)
    sizes = np.array([size for size, _, _ in gaps])
    findings = []
    for size, usual, box in gaps:
        often = int((np.abs(sizes - size) <= limits.gap_tolerance).sum())
        off_scale = abs(size - limits.gap_step * round(size / limits.gap_step))
        if off_scale > 0.5 and abs(size - usual) > limits.gap_tolerance and often < limits.gap_company:
            findings.append(Finding(box, f"a distance of {size:g} px beside one of {usual:g} px"))
    return measure_share(findings, len(gaps), "distances have no like")


def _gaps_of(group: Sequence[Place]) -> Iterator[tuple[float, float, Box]]:
    """The distances between siblings, each with what is usual among them, and where it is."""
    boxes = [box_of(place) for place in group]
    gaps = gaps_between(boxes)
    if len(gaps) < 2:
        return
    usual = median(gaps)
    for size, above, below in zip(gaps, boxes, boxes[1:], strict=False):
        if below.top >= above.bottom - 1:
            yield size, usual, Box(below.left, above.bottom, below.width, max(2.0, size))
        else:
            yield size, usual, Box(above.right, above.top, max(2.0, size), above.height)


def find_crowded(seen: Seen, limits: Limits) -> Measured:
    """Texts that touch the box they stand in, the side of the page, or their own next line."""
    texts = [text for text in seen.legible if not text.in_field]
    frames = [
        each
        for each in seen.facts.boxes
        if not each.text_clip and (each.control or _shows_edge(each.border, each.background))
    ]
    edges = np.array([each.box for each in frames], dtype=np.float64).reshape(-1, 4)
    findings = []
    for text in texts:
        if fault := _crowding_fault(text, edges, seen.facts.page.width, limits):
            findings.append(Finding(text.box, f"'{text.text[:40]}' {fault}"))
    return measure_share(findings, len(texts), "texts are crowded")


def _shows_edge(border: tuple[float, ...], background: tuple[float, ...] | None) -> bool:
    """Whether one sees where a box ends at its sides: a line under a heading is no frame."""
    return bool(border[1] and border[3]) or bool(background and background[3] > 0.1)


def _crowding_fault(text: Text, edges: NDArray[np.float64], width: float, limits: Limits) -> str:
    box = text.box
    if not text.scrolls and (0 <= box.left < limits.margin or 0 <= width - box.right < limits.margin - 4):
        return "touches the side of the page"
    if len(text.lines) >= 2 and text.line_height < limits.leading * text.size and text.size < 24:
        return f"has lines of {text.line_height:g} px for letters of {text.size:g} px"
    frame = smallest_around(text.boxes[0], edges)
    if frame is None or frame.width > WHOLE_WIDTH * width or text.holder in ("code", "pre"):
        return ""
    sides = min(box.left - frame.left, frame.right - box.right)
    if -1 <= sides < limits.padding and frame.width > box.width + 1 - limits.padding:
        return f"is {sides:.0f} px from the side of its box"
    first, last = text.cores[0], text.cores[-1]
    if min(first.top - frame.top, frame.bottom - last.bottom) < limits.padding_above:
        return "touches the edge of its box"
    return ""


def smallest_around(box: Box, edges: NDArray[np.float64]) -> Box | None:
    """The smallest of the boxes (rows of left, top, width, height) that a box begins in."""
    if not len(edges):
        return None
    left, top, width, height = edges.T
    across, down = box.left + 1, box.middle[1]
    around = (left <= across) & (across <= left + width) & (top <= down) & (down <= top + height)
    if not around.any():
        return None
    places = np.flatnonzero(around)
    smallest = places[np.argmin((width * height)[places])]
    return Box(*(float(value) for value in edges[smallest]))
