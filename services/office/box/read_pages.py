"""Runs in the office suite's box, without the suite: `read_pages.py FILE.pdf OUT.tar DPI MOST`.

Writes the first pages of a printed document: each as a picture, and in `words.json` the words of all of them with the
places where they were drawn. `crucible/documents.py` says what the fields mean.
"""

from __future__ import annotations

import io
import json
import struct
import sys
import tarfile
import zlib
from ctypes import c_double, c_uint
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

MOST_CHARS = 20_000
"""Of one page; what is drawn beyond them is not read."""
GAP = 0.6
"""Letters further apart than this share of their size belong to different words."""
POINTS_PER_INCH = 72


def read_page(page: Any) -> dict[str, Any]:
    """The size of a page in points, and its words in the order in which they are drawn."""
    width, height = page.get_size()
    text = page.get_textpage()
    letters = (read_letter(text, number, height) for number in range(min(text.count_chars(), MOST_CHARS)))
    return {"width": round(width, 1), "height": round(height, 1), "words": join_letters(letters)}


def read_letter(text: Any, number: int, height: float) -> dict[str, Any] | None:
    """One letter with its place, counted from the upper left corner; None for the blanks between words."""
    char = chr(raw.FPDFText_GetUnicode(text, number))
    if char.isspace() or not char.isprintable() or raw.FPDFText_IsGenerated(text, number) == 1:
        return None
    left, right, bottom, top = (c_double() for _ in range(4))
    raw.FPDFText_GetCharBox(text, number, left, right, bottom, top)
    red, green, blue, alpha = (c_uint() for _ in range(4))
    raw.FPDFText_GetFillColor(text, number, red, green, blue, alpha)
    return {
        "text": char,
        "box": [left.value, height - top.value, right.value, height - bottom.value],
        "size": round(raw.FPDFText_GetFontSize(text, number), 1),
        "colour": [red.value, green.value, blue.value],
    }


def join_letters(letters: Any) -> list[dict[str, Any]]:
    """Letters that follow each other on a line in the same looks, as words; boxes as left, top, width and height."""
    words: list[dict[str, Any]] = []
    last: dict[str, Any] | None = None
    for letter in letters:
        if letter is not None:
            if last is not None and belongs(letter, last):
                words[-1]["text"] += letter["text"]
                words[-1]["box"] = around(words[-1]["box"], letter["box"])
            else:
                words.append(dict(letter))
        last = letter
    for word in words:
        left, top, right, bottom = word["box"]
        word["box"] = [round(edge, 1) for edge in (left, top, right - left, bottom - top)]
    return words


def belongs(letter: dict[str, Any], last: dict[str, Any]) -> bool:
    """Whether a letter continues the word of the one before it."""
    alike = letter["size"] == last["size"] and letter["colour"] == last["colour"]
    apart, size = letter["box"][0] - last["box"][2], max(1.0, letter["size"])
    level = abs(letter["box"][3] - last["box"][3]) < size
    return bool(alike and level and -size < apart < GAP * size)


def around(one: list[float], other: list[float]) -> list[float]:
    return [min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])]


def draw_page(page: Any, dpi: int) -> bytes:
    """The page as PNG."""
    drawn = page.render(scale=dpi / POINTS_PER_INCH, rev_byteorder=True)
    pixels = memoryview(drawn.buffer).cast("B")
    width = drawn.width * drawn.n_channels
    return pack_png(drawn.width, [pixels[start : start + width] for start in range(0, len(pixels), drawn.stride)])


def pack_png(width: int, rows: list[memoryview]) -> bytes:
    """Rows of red, green and blue as PNG. An image library tries five ways of writing each row and takes twice the
    time, for a file that is no smaller: pages are mostly of one colour."""
    size = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)  # eight bits, in colours
    lines = b"".join(part for row in rows for part in (b"\0", row))
    chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(lines, 3)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def write_pages(source: str, target: str, dpi: int, most: int) -> None:
    document = pdfium.PdfDocument(source)
    pages = [document[number] for number in range(min(most, len(document)))]
    facts = [read_page(page) for page in pages]
    with tarfile.open(target, "w") as archive:
        add(archive, "words.json", json.dumps(facts).encode())
        for number, page in enumerate(pages):
            add(archive, f"{number}.png", draw_page(page, dpi))


def add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


if __name__ == "__main__":
    write_pages(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
