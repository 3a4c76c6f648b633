"""The settings of the application pipeline."""

from __future__ import annotations

from pydantic import Field

from crucible.record import Record
from crucible.settings import DomainSettings, DomainStops, register_domain, section


@section("appdev")
class AppdevSettings(Record):
    """What an application must reach to be accepted; that it runs is never a matter of degree."""

    least_interaction: float = Field(default=1.0, ge=0, le=1)
    """The least share of what its rubric lists, by weight."""
    least_visual: float = Field(default=0.93, ge=0, le=1)
    """The least share of what is asked of its looks, by weight; at 0 they are neither judged nor asked about."""
    agent: bool = False
    """Whether a model uses each application too (`app.agent`); it takes a judge. Tasks made with it are others."""


register_domain("appdev", DomainSettings(scaffold="builder", stops=DomainStops(steps=80, seconds=2400)))
