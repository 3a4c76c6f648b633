"""Rules about text that can be read: contrast, text that nobody sees, text over text.

Styles say which colours a text has. Where they do not tell all (pictures, gradients, layers that lie over each other)
or the picture shows something else, the pixels around the letters are believed.
"""

from __future__ import annotations

import numpy as np

from crucible.domains.looks.colours import Colour, blend, contrast, distance, luminance
from crucible.domains.looks.findings import Finding, Measured, measure_share
from crucible.domains.looks.geometry import Box, find_overlaps
from crucible.domains.looks.pixels import Light, Pixels, frame_of
from crucible.domains.web.looks.facts import Seen, Text
from crucible.domains.web.looks.limits import Limits

FIELD_BORDER = 4
"""The box of a text in a field is that of the field: its border is left out."""
WORST = 20
"""Over an uneven ground the contrast at the worst fifth of it counts."""


def find_low_contrast(seen: Seen, limits: Limits) -> Measured:
    """Texts with less contrast than WCAG asks for; what is disabled or decoration may have less."""
    texts = [text for text in seen.legible if not text.disabled and not text.hidden and _is_words(text)]
    findings = []
    for text in texts:
        ratio = measure_contrast(text, seen.pixels, limits)
        least = limits.contrast_large if text.is_large else limits.contrast
        if ratio < least - 0.05:
            findings.append(Finding(text.box, f"'{text.text[:40]}' has a contrast of {ratio:.1f}, not {least:g}"))
    return measure_share(findings, len(texts), "texts have too little contrast")


def find_invisible(seen: Seen, limits: Limits) -> Measured:
    """Texts whose letters do not show at all in the picture."""
    texts = [text for text in seen.legible if _is_words(text) and not text.hidden]
    findings = []
    for text in texts:
        shown = measure_ink(_sample_box(text), seen.pixels)
        if shown is not None and shown < limits.visible:
            findings.append(Finding(text.box, f"'{text.text[:40]}' cannot be seen"))
    return measure_share(findings, len(texts), "texts cannot be seen")


def find_overlapping(seen: Seen, limits: Limits) -> Measured:
    """Texts that lie over each other. Letters are compared, not the room above and below them."""
    texts = [text for text in seen.legible if not text.in_field and not text.fixed and not text.hidden]
    placed = [(core, number) for number, text in enumerate(texts) for core in text.cores if text.shows(core)]
    findings: dict[int, Finding] = {}
    for (box, one), (_, other) in find_overlaps(placed, limits.overlap_share, limits.overlap_area):
        what = f"'{texts[one].text[:30]}' and '{texts[other].text[:30]}' lie over each other"
        findings.setdefault(one, Finding(box, what))
    return measure_share(list(findings.values()), len(texts), "texts lie over others")


def measure_contrast(text: Text, pixels: Pixels, limits: Limits) -> float:
    """The contrast of a text with what it stands on, from 1 to 21."""
    where = pixels.slices(_sample_box(text))
    styled = text.ground
    if where is None:  # beyond the end of the picture: only the styles tell
        return _styled_contrast(text, styled) if text.known else 21.0
    around = frame_of(pixels.channels[where])
    seen_ground = Colour(*(int(value) for value in np.median(around, axis=0)))
    if text.known and text.colour is not None and distance(seen_ground, styled) <= limits.ground_difference:
        return _styled_contrast(text, styled)
    part = pixels.light[where]
    ground: Light = frame_of(part).astype(np.float32)
    if text.colour is None:
        return measure_ink(_sample_box(text), pixels) or 21.0
    own = luminance(blend(Colour(*text.colour), seen_ground, text.opacity))
    ratios = (np.maximum(ground, own) + 0.05) / (np.minimum(ground, own) + 0.05)
    return float(np.percentile(ratios, WORST))


def measure_ink(box: Box, pixels: Pixels) -> float | None:
    """The contrast of whatever differs most from the ground within a box; None outside of the picture."""
    where = pixels.slices(box)
    if where is None:
        return None
    part = pixels.light[where]
    ground = float(np.median(frame_of(part)))
    return max(contrast(float(part.max()), ground), contrast(float(part.min()), ground))


def _styled_contrast(text: Text, ground: Colour) -> float:
    if text.colour is None:
        return 21.0
    return contrast(luminance(blend(Colour(*text.colour), ground, text.opacity)), luminance(ground))


def _sample_box(text: Text) -> Box:
    return text.boxes[0].shrink(FIELD_BORDER) if text.in_field else text.boxes[0]


def _is_words(text: Text) -> bool:
    """Whether there is anything to read; a lone sign is decoration, and a coloured picture in letters is no text."""
    return any(char.isalnum() for char in text.text)
