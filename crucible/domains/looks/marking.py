"""Draws findings on the picture they were found in: outlined, numbered, and named beneath it."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from crucible.domains.looks.findings import Finding
from crucible.domains.looks.geometry import Box

MOST_MARKS = 12
"""Findings that are drawn in one picture; more would hide what they point at."""
TALLEST = 1600
"""Rows of a picture that are kept, from a little above the first finding."""
RED, PAPER, INK = (220, 20, 60), (255, 255, 255), (20, 20, 20)
LEGEND_LINE, LEGEND_CHARS = 18, 150


def mark_findings(picture: bytes, findings: Sequence[Finding]) -> bytes:
    """The picture with the first findings outlined, as PNG of few colours: it is to be looked at, not measured."""
    with Image.open(io.BytesIO(picture)) as opened:
        image = opened.convert("RGB")
    shown = findings[:MOST_MARKS]
    top = _first_row(shown, image.height)
    image = image.crop((0, top, image.width, min(image.height, top + TALLEST)))
    marked = Image.new("RGB", (image.width, image.height + LEGEND_LINE * (len(shown) + 1)), PAPER)
    marked.paste(image)
    draw = ImageDraw.Draw(marked)
    font = ImageFont.load_default(size=13)
    for number, finding in enumerate(shown, 1):
        _outline(draw, font, finding.box, top, number, image.size)
        line = image.height + LEGEND_LINE * (number - 1) + 4
        draw.text((6, line), f"{number}  {finding.what[:LEGEND_CHARS]}", fill=INK, font=font)
    if len(findings) > len(shown):
        line = image.height + LEGEND_LINE * len(shown) + 4
        draw.text((6, line), f"and {len(findings) - len(shown)} more", fill=INK, font=font)
    written = io.BytesIO()
    marked.quantize(128, method=Image.Quantize.FASTOCTREE).save(written, "PNG", compress_level=6)
    return written.getvalue()


def _first_row(findings: Sequence[Finding], height: int) -> int:
    """Where the part of a long picture begins that shows the first finding."""
    first = min((finding.box.top for finding in findings), default=0.0)
    return max(0, min(int(first) - 200, height - TALLEST))


def _outline(
    draw: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    box: Box,
    top: int,
    number: int,
    size: tuple[int, int],
) -> None:
    """A red frame a little outside of the box, within the picture, with the number above its corner."""
    width, height = size
    left, upper = max(0.0, min(box.left - 3, width - 12)), max(0.0, min(box.top - top - 3, height - 12))
    right, lower = (
        min(width - 1.0, max(left + 8, box.right + 3)),
        min(height - 1.0, max(upper + 8, box.bottom - top + 3)),
    )
    draw.rectangle((left, upper, right, lower), outline=RED, width=2)
    tag = max(0.0, upper - 15)
    draw.rectangle((left, tag, left + 9 + 7 * (number > 9), tag + 15), fill=RED)
    draw.text((left + 2, tag), str(number), fill=PAPER, font=font)
