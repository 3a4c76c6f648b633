"""What a source and a stage may hand over beside their records: refusals, and how far a source has read."""

from __future__ import annotations

from typing import Protocol

from pydantic import SerializeAsAny

from crucible.record import Record


class Dropped(Record):
    """Something that is refused, with its reason: kept as an item and counted by the funnel, and it goes no further.

    A source yields one for raw material that it will not hand on; it is recorded at the stage `PIPELINE.collect`.
    A stage returns one for an output that it could not make, such as a variant of a task; it is recorded at the stage
    `PIPELINE.STAGE.outputs`, and costs the item that the stage was working on nothing.
    """

    record: SerializeAsAny[Record]
    """What is refused; it knows its own id, as every item does."""
    reason: str
    """A stable code."""
    detail: str = ""


class Cursor(Protocol):
    """How far a source has read one origin. What it says is the source's own affair: a commit, a page, a moment."""

    def read(self) -> str:
        """Where the last collection of this origin stopped; empty for the first."""

    def advance(self, place: str) -> None:
        """All that was yielded before need not be yielded again. Kept once what was yielded before is written."""


class FreshCursor:
    """A `Cursor` at the beginning, which nobody keeps."""

    def read(self) -> str:
        return ""

    def advance(self, place: str) -> None:
        return
