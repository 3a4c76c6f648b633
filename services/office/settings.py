"""The settings of the office suite."""

from __future__ import annotations

from pydantic import Field

from crucible.record import Record
from crucible.settings import section


@section("office")
class OfficeSettings(Record):
    """The office suite that opens documents which attempts made."""

    workers: int = Field(default=1, ge=1)
    """How many documents are worked on at once; each worker has a box of its own."""
    seconds: float = Field(default=120.0, gt=0)
    """How long one document may take; then the worker is replaced."""
    start_seconds: float = Field(default=180.0, gt=0)
    """How long the suite may take to start."""
    memory_mb: int = Field(default=2048, ge=512)
    """What one worker may use."""
