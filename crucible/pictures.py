"""Pictures by their own bytes: PNG, JPEG, GIF and WebP, of a size that a reader can take. Never SVG: it can run.

What a file calls itself is not believed, and nothing is decoded: only the header is read.
"""

from __future__ import annotations

import base64
import struct
from typing import NamedTuple

LARGEST_BYTES = 5_000_000
"""Bytes of a picture that a teacher is shown; endpoints refuse larger ones."""
PAGE_BYTES = 2_000_000
"""Bytes of a picture that stands in a page."""
PIXELS = 40_000_000
"""A few bytes can unpack to gigabytes of pixels."""

_JPEG = b"\xff\xd8\xff"
_NO_SIZE = (0xC4, 0xC8, 0xCC)
"""Markers among the frame headers of a JPEG that are none."""


class Picture(NamedTuple):
    """What the header of a picture tells."""

    kind: str
    """png, jpeg, gif or webp."""
    width: int
    height: int

    @property
    def media_type(self) -> str:
        return f"image/{self.kind}"


def identify_picture(data: bytes) -> Picture | None:
    """What picture the bytes are; None when they are none, or one of no size or too many pixels."""
    for kind, size in (
        ("png", _png_size(data)),
        ("jpeg", _jpeg_size(data)),
        ("gif", _gif_size(data)),
        ("webp", _webp_size(data)),
    ):
        if size and 0 < size[0] * size[1] <= PIXELS:
            return Picture(kind, *size)
    return None


def data_uri(data: bytes, limit: int = PAGE_BYTES) -> str:
    """The picture for an `src`; empty when it is none, or too large to show."""
    picture = identify_picture(data) if len(data) <= limit else None
    return f"data:{picture.media_type};base64,{base64.b64encode(data).decode('ascii')}" if picture else ""


def _png_size(data: bytes) -> tuple[int, int] | None:
    if not data.startswith(b"\x89PNG\r\n\x1a\n") or len(data) < 24:
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _gif_size(data: bytes) -> tuple[int, int] | None:
    if data[:6] not in (b"GIF87a", b"GIF89a") or len(data) < 10:
        return None
    width, height = struct.unpack("<HH", data[6:10])
    return width, height


def _webp_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a WebP in any of its three forms: lossy, lossless, extended."""
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or len(data) < 30:
        return None
    if data[12:16] == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    if data[12:16] == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if data[12:16] == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a JPEG, from its first frame header."""
    at = 2
    while data.startswith(_JPEG) and at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None
