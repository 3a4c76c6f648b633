"""How cells look, named so that the styles of two files can be compared, whichever programs wrote them: fonts, fills,
borders and alignment as they are seen, colours of a theme as the colours they stand for."""

from __future__ import annotations

import colorsys
import hashlib
from typing import Any
from xml.etree import ElementTree

from openpyxl.styles.colors import COLOR_INDEX

DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
THEME_ORDER = (1, 0, 3, 2, 4, 5, 6, 7, 8, 9, 10, 11)
"""Where a theme's colour of each number stands in its list: light and dark come in pairs, the other way round."""
BLACK = "000000"
STEP = 8
"""Shades that differ by less are one: programs round tints differently."""


class CellLooks:
    """Names the looks of cells of one workbook."""

    def __init__(self, book: Any) -> None:
        self.names: dict[Any, str] = {}
        self.theme = read_theme(book.loaded_theme)

    def name(self, cell: Any) -> str:
        """A short name for what the cell looks like; programs differ in whether plain cells have a style."""
        key = cell._style.tobytes() if hasattr(cell._style, "tobytes") else tuple(cell._style)
        if key not in self.names:
            self.names[key] = hashlib.sha256(repr(self.describe(cell)).encode()).hexdigest()[:12]
        return self.names[key]

    def describe(self, cell: Any) -> tuple[Any, ...]:
        font, fill, border, place = cell.font, cell.fill, cell.border, cell.alignment
        letters = (font.name, round(font.sz or 11), bool(font.b), bool(font.i), font.u or "", bool(font.strike))
        sides = (border.left, border.right, border.top, border.bottom)
        return (
            (*letters, self.colour(font.color) or BLACK),
            self.colour(fill.fgColor) if fill.fill_type == "solid" else fill.fill_type or "",
            tuple(side.style or "" for side in sides if side),
            (place.horizontal or "general", place.vertical or "bottom", bool(place.wrap_text)),
        )

    def colour(self, colour: Any) -> str:
        """Six hexadecimal digits, coarsely; empty for none."""
        if colour is None or colour.type == "auto":
            return ""
        if colour.type == "theme":
            found = self.theme[colour.theme] if colour.theme < len(self.theme) else ""
        elif colour.type == "indexed":
            found = COLOR_INDEX[colour.indexed][-6:] if colour.indexed < len(COLOR_INDEX) else ""
        else:
            found = str(colour.rgb)[-6:]
        return coarsen(tint(found, colour.tint or 0)) if found else ""


def read_theme(theme: bytes | None) -> list[str]:
    """The theme's colours by their numbers."""
    scheme = ElementTree.fromstring(theme).find(f".//{DRAWING}clrScheme") if theme else None
    colours = [child[0].get("lastClr") or child[0].get("val") or "" for child in scheme] if scheme is not None else []
    return [colours[place] for place in THEME_ORDER if place < len(colours)]


def tint(colour: str, share: float) -> str:
    """A colour made lighter, or darker where the share is negative."""
    if not share:
        return colour
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4))
    hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
    light = light * (1 + share) if share < 0 else light * (1 - share) + share
    return "".join(f"{round(part * 255):02X}" for part in colorsys.hls_to_rgb(hue, light, strength))


def coarsen(colour: str) -> str:
    return "".join(f"{round(int(colour[at : at + 2], 16) / STEP):02X}" for at in (0, 2, 4))
