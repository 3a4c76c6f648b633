"""The settings of the pipeline of office work."""

from __future__ import annotations

from pydantic import Field

from crucible.record import Record
from crucible.settings import section
from pipelines.cowork.documents.model import Form


@section("cowork")
class CoworkSettings(Record):
    """How workbooks and decks become tasks."""

    walks: int = Field(default=3, ge=1)
    """How many walks are tried over each file."""
    longest: int = Field(default=3, ge=1, le=6)
    """How many moves a walk has at most."""
    seed: int = 0
    """Decides which moves are drawn."""
    changed_inputs: int = Field(default=2, ge=1)
    """For how many sets of changed inputs the answers are compared again."""
    plans: int = Field(default=6, ge=1)
    """How many financial questions are asked about each set of files."""
    forms: tuple[Form, ...] = ("html", "txt", "pdf")
    """In which forms a document with tables is handed out."""
