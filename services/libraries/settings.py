"""The settings of the libraries that pages take from content networks."""

from __future__ import annotations

from pydantic import Field

from crucible.record import Record
from crucible.settings import section


@section("libraries")
class LibrarySettings(Record):
    """Packages that stand in for public content networks."""

    seconds: float = Field(default=60.0, gt=0)
    """How long the registry may take for one package."""
    package_mb: int = Field(default=48, ge=1)
    """What a package may have, packed; a larger one is out of reach."""
    disk_mb: int = Field(default=1024, ge=1)
    """What is kept of packages between runs; the longest unused go first."""
