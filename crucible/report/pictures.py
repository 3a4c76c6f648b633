"""Pictures that may stand in a page: PNG and JPEG by their own bytes, of a size that a browser can take."""

from __future__ import annotations

import base64
import struct

BYTES = 2_000_000
PIXELS = 40_000_000
"""A few bytes can unpack to gigabytes of pixels."""

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_NO_SIZE = (0xC4, 0xC8, 0xCC)
"""Markers among the frame headers that are none."""


def data_uri(data: bytes) -> str:
    """The picture for an `src`; empty when it is none, or too large to show."""
    if len(data) > BYTES:
        return ""
    for kind, size in (("png", _png_size(data)), ("jpeg", _jpeg_size(data))):
        if size and 0 < size[0] * size[1] <= PIXELS:
            return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"
    return ""


def _png_size(data: bytes) -> tuple[int, int] | None:
    if not data.startswith(_PNG) or len(data) < 24:
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


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
