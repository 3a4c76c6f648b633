"""One fault: as an edit, and as the file that has it."""

from __future__ import annotations

from crucible.record import Record


class Edit(Record):
    """Bytes of the source replaced by others."""

    operator: str
    start: int
    end: int
    text: str


class Mutant(Record):
    """A file with one fault in it."""

    path: str
    operator: str
    line: int
    """Where the fault begins."""
    text: str
    """The whole file."""
