"""A cursor for tests of sources."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class KeptCursor:
    """A cursor that is kept between collections, and that a test looks into."""

    place: str = ""

    def read(self) -> str:
        return self.place

    def advance(self, place: str) -> None:
        self.place = place
