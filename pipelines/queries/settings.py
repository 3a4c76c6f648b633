"""The settings of query synthesis."""

from __future__ import annotations

from pydantic import Field

from crucible.record import Record
from crucible.settings import Settings, section


@section("queries")
class QuerySettings(Record):
    """How meta-queries become queries."""

    batch: int = Field(default=200, ge=1)
    """The most queries that one collection draws, whatever its limit; the next one goes on from there."""
    similarity: float = Field(default=0.8, gt=0, le=1)
    """Queries that share so much of their runs of three words are duplicates."""
    least: float = Field(default=0.9, ge=0, le=1)
    """The share of the ten criteria that a query must meet."""
    teacher: str = ""
    """Who words the openings anew; empty: nobody, and they are as their author wrote them."""
    temperature: float = Field(default=1.1, ge=0)
    """How freely they are worded."""


def rewording_teacher(settings: Settings) -> str:
    """The name of the teacher that words openings; empty: nobody does."""
    return settings.section(QuerySettings).teacher
