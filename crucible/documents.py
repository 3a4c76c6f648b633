"""What an office suite means to the spine: workbooks recalculated, documents converted, pages as pictures.

The suite is the service `office`. It runs in a box of its own, without network: a document is somebody's work and may
be hostile. Files go in and come out as bytes; formats are named by their suffix (`xlsx`, `pptx`, `pdf`).
"""

from __future__ import annotations

from typing import Protocol


class Office(Protocol):
    """The service `office`. DocumentFailed when a document cannot be opened or does not come to an end."""

    async def recalculate(self, workbook: bytes) -> bytes:
        """The xlsx workbook with every formula calculated anew, whatever values it came with."""

    async def convert(self, document: bytes, source: str, target: str) -> bytes:
        """The document in another format. Formulas are calculated anew, macros and links are not followed."""

    async def render_pages(self, document: bytes, source: str, *, dpi: int = 80, most: int = 20) -> list[bytes]:
        """The document's first pages as it would be printed, at most so many, each as PNG."""
