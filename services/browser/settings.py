"""The settings of the browser."""

from __future__ import annotations

from pydantic import Field

from crucible.record import Record
from crucible.settings import section


@section("browser")
class BrowserSettings(Record):
    """The browser that looks at what attempts serve."""

    boxes: int = Field(default=2, ge=1)
    """The most browsers that run at once; each has a box of its own."""
    pages: int = Field(default=4, ge=1)
    """The most pages that are open in one browser at once, where an application allows for more than one."""
    seconds: float = Field(default=30.0, gt=0)
    """How long one action on a page may take."""
    patience_seconds: float = Field(default=5.0, gt=0)
    """How long an element that is to be used, or an effect that is expected, is waited for."""
    start_seconds: float = Field(default=120.0, gt=0)
    """How long a browser may take to start."""
    memory_mb: int = Field(default=2048, ge=256)
    """What one browser may use."""
