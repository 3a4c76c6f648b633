"""All pages of a document in one picture: what a person looks at first."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

COLUMNS, CELL_WIDTH, GAP = 3, 360, 8
MOST_PAGES = 24
PAPER = (200, 200, 200)


def join_pages(pages: Sequence[bytes]) -> bytes:
    """The first pages side by side and small, as PNG of few colours. There is at least one page."""
    small = [_shrink(page) for page in pages[:MOST_PAGES]]
    height = max(page.height for page in small)
    rows = -(-len(small) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * (CELL_WIDTH + GAP) + GAP, rows * (height + GAP) + GAP), PAPER)
    for number, page in enumerate(small):
        row, column = divmod(number, COLUMNS)
        sheet.paste(page, (GAP + column * (CELL_WIDTH + GAP), GAP + row * (height + GAP)))
    written = io.BytesIO()
    sheet.quantize(128, method=Image.Quantize.FASTOCTREE).save(written, "PNG")
    return written.getvalue()


def _shrink(page: bytes) -> Image.Image:
    with Image.open(io.BytesIO(page)) as opened:
        return opened.convert("RGB").resize((CELL_WIDTH, max(1, opened.height * CELL_WIDTH // opened.width)))
