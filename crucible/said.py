"""An attempt as its stored JSON has it: the shape exporters read, where making a record of each would take longer
than writing it.

What is at its default is not there (`Trajectory.terse`). `Accepted.trajectory` is the same attempt as a record.
"""

from __future__ import annotations

from typing import Any, TypedDict

from pydantic_core import from_json


class _Call(TypedDict):
    id: str
    name: str


class SaidCall(_Call, total=False):
    """A tool call; its arguments are `{}` when missing."""

    arguments: str


class SaidObservation(TypedDict):
    """What came back."""

    call_id: str
    content: str


class SaidStep(TypedDict, total=False):
    """Think, act, observe."""

    thinking: str
    text: str
    calls: list[SaidCall]
    observations: list[SaidObservation]


class _Agent(TypedDict):
    scaffold: str
    teacher: str


class SaidAgent(_Agent, total=False):
    """Who attempted."""

    options: dict[str, Any]
    seed: int


class _Said(TypedDict):
    task_id: str
    agent: SaidAgent
    system: str
    prompt: str


class Said(_Said, total=False):
    """The attempt."""

    tools: list[dict[str, Any]]
    form: str
    steps: list[SaidStep]


def said(body: str) -> Said:
    """The attempt in a trajectory's JSON."""
    found: Said = from_json(body, cache_strings="none")
    return found
