"""What an office suite means to the spine: workbooks recalculated, documents converted, pages as pictures.

The suite is the service `office`. It runs in a box of its own, without network: a document is somebody's work and may
be hostile. Files go in and come out as bytes; formats are named by their suffix (`xlsx`, `pptx`, `pdf`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from crucible.record import Json, Record

CellChanges = Mapping[str, Mapping[str, float | str]]
"""Values to be written into a workbook: by sheet, then by cell (`B2`)."""


class Word(Record):
    """A word of a printed page, where it was drawn."""

    text: str
    box: tuple[float, float, float, float]
    """Left, top, width and height of its letters, in points from the upper left corner of the page."""
    size: float
    """Of its letters, in points."""
    colour: tuple[int, int, int]
    """Red, green and blue, from 0 to 255."""


@dataclass(frozen=True)
class PrintedPage:
    """One page of a document, as it is printed."""

    picture: bytes
    """As PNG."""
    width: float
    """In points, like all lengths."""
    height: float
    words: tuple[Word, ...]
    """In the order in which they were drawn."""


class Office(Protocol):
    """The service `office`. DocumentFailed when a document cannot be opened or does not come to an end."""

    async def recalculate(self, workbook: bytes) -> bytes:
        """The xlsx workbook with every formula calculated anew, whatever values it came with."""

    async def calculate(self, workbook: bytes, sets: Sequence[CellChanges] = ()) -> list[Json]:
        """The values of all cells of an xlsx workbook, calculated anew, whatever values it came with: as it came, and
        after each set of changes. By sheet, then by cell, an error as `{"error": "#N/A"}`; empty cells are left out."""

    async def cross_check(self, workbook: bytes, sets: Sequence[CellChanges] = ()) -> list[Json] | None:
        """What a second, independent engine makes of the formulas, in the form of `calculate` but without constants;
        None where it cannot work with the file. It knows fewer functions than the suite, and some that the suite lacks:
        its word is for cells about which the suite may be wrong."""

    async def describe(self, document: bytes, source: str) -> Json:
        """What an xlsx or pptx file holds, read without the suite: `workbook.py` and `deck.py` of
        `crucible/domains/office` know the fields. `{"fault": ...}` for what must not or cannot be opened."""

    async def convert(self, document: bytes, source: str, target: str) -> bytes:
        """The document in another format. Formulas are calculated anew, macros and links are not followed."""

    async def print_pages(self, document: bytes, source: str, *, dpi: int = 80, most: int = 20) -> list[PrintedPage]:
        """The document's first pages as it would be printed, at most so many: pictures, and where each word stands."""

    async def render_pages(self, document: bytes, source: str, *, dpi: int = 80, most: int = 20) -> list[bytes]:
        """The pictures of `print_pages` alone."""
