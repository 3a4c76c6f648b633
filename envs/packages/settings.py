"""The settings of the package cache."""

from __future__ import annotations

from pydantic import Field

from crucible.record import Record
from crucible.settings import section


@section("packages")
class PackageSettings(Record):
    """A cache between image builds and the package indexes."""

    cache: bool = False
    """Whether builds go through it. It opens encrypted connections with a certificate of its own, which programs that
    bring their own list of certificates (Java) do not trust; docs/boxes.md."""
    volume: str = "crucible-packages"
    """The engine's volume that packages are kept in."""
    disk_mb: int = Field(default=20_000, ge=100)
    """What it may keep."""
