"""What copies need to know of a test's text, whatever its language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from crucible.domains.code.twins import Twin


class Edit(NamedTuple):
    """Where a text begins and ends in its file, in characters, and what stands there instead."""

    start: int
    end: int
    text: str


class TestText(Protocol):
    """A test in the text of its file."""

    start: int
    """Where it begins: at the start of a line, with all that belongs to it."""
    end: int
    """Where it ends: at the end of a line."""
    name: Edit
    """Its own name."""

    def turn(self, twin: Twin) -> Edit | None:
        """What makes the assertion of equality that holds an altered value assert that it is not so; None where nothing
        does."""

    def list_rows(self, twins: Sequence[Twin]) -> dict[int, Edit]:
        """What takes the rows of a table that hold these places out of it, by where each place begins; nothing for
        places outside of the table that holds most of them."""
