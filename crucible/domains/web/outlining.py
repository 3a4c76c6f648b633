"""Pictures of pages with elements outlined, as evidence."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw

COLOUR, WIDTH, MARGIN = "#e6007e", 3, 4


def outline(picture: bytes, boxes: Sequence[Sequence[float]]) -> bytes:
    """The picture with a frame around each box (left, top, width, height), as JPEG."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    draw = ImageDraw.Draw(image)
    for left, top, width, height in (box for box in boxes if len(box) == 4):
        frame = (left - MARGIN, top - MARGIN, left + max(width, 1) + MARGIN, top + max(height, 1) + MARGIN)
        draw.rectangle(frame, outline=COLOUR, width=WIDTH)
    written = io.BytesIO()
    image.save(written, "JPEG", quality=70)
    return written.getvalue()
