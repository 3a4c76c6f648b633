"""What goes from stage to stage: a workbook or deck to begin with, and a walk over it."""

from __future__ import annotations

from typing import Literal

from crucible.record import Record
from pipelines.queries.model import Query


class Seed(Record):
    """A file that walks begin with."""

    name: str
    """Of the file, without its suffix."""
    suffix: Literal["xlsx", "pptx"]
    blob: str
    """The digest of its bytes."""
    licence: str = ""
    author: str = ""
    url: str = ""

    @property
    def id(self) -> str:
        return f"{self.suffix}-{self.name}-{self.blob[:8]}"


class OfficeQuery(Record):
    """A drawn query about a workbook or a deck, which is generated for it."""

    query: Query
    library: str
    """The folder of the library that it was drawn from."""

    @property
    def id(self) -> str:
        return f"office-{self.query.id}"


class Move(Record):
    """One operation that was carried out on a file, and what may be asked about it afterwards."""

    operation: str
    """Which one: `running-total`."""
    phrase: str
    """Which of `phrases.toml` asks for it."""
    words: dict[str, str]
    """What the phrases name: headers, areas, values."""
    answers: tuple[str, ...] = ()
    """In a workbook: areas that hold what the operation made."""
    may_change: tuple[str, ...] = ()
    """Areas that it changes beside them."""
    inputs: tuple[str, ...] = ()
    """Cells that the answers depend on, so that changing them must change the answers."""
    formats: bool = False
    """Whether it is about number formats."""


class Walk(Record):
    """Some moves in a row, from one state of a file to another."""

    seed: Seed
    given: str
    """The digest of the file before the first move."""
    gold: str
    """The digest of the file after the last."""
    sheets: tuple[str, ...] = ()
    """Those of a given workbook."""
    moves: tuple[Move, ...]
    changes: tuple[dict[str, dict[str, float | str]], ...] = ()
    """Sets of changed inputs for which the answers are compared again."""
    number: int = 0
    """Which of the seed's walks."""
    query: Query | None = None
    """What was asked for, where the walk answers a query."""

    @property
    def id(self) -> str:
        return f"{self.seed.id}-{self.query.id if self.query else self.number}"
