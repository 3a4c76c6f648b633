"""An attempt as exporters read it, where making a record of each would take longer than writing it.

It holds what was said and done. `Accepted.trajectory` is the same attempt as a record, with clocks and costs.
"""

from __future__ import annotations

from typing import Any

import msgspec


class SaidCall(msgspec.Struct, frozen=True, gc=False):
    """A tool call."""

    id: str
    name: str
    arguments: str = "{}"


class SaidObservation(msgspec.Struct, frozen=True, gc=False):
    """What came back."""

    call_id: str
    content: str


class SaidStep(msgspec.Struct, frozen=True, gc=False):
    """Think, act, observe."""

    thinking: str = ""
    text: str = ""
    calls: tuple[SaidCall, ...] = ()
    observations: tuple[SaidObservation, ...] = ()


class SaidAgent(msgspec.Struct, frozen=True, gc=False):
    """Who attempted."""

    scaffold: str
    teacher: str
    options: dict[str, Any] = {}
    seed: int = 0


class Said(msgspec.Struct, frozen=True, gc=False):
    """The attempt. A stored trajectory leaves out what is at its default (`Trajectory.terse`)."""

    task_id: str
    agent: SaidAgent
    system: str
    prompt: str
    tools: tuple[msgspec.Raw, ...] = ()
    """The JSON of each."""
    form: str = "native"
    steps: tuple[SaidStep, ...] = ()


said = msgspec.json.Decoder(Said).decode
"""The attempt in a trajectory's JSON."""
