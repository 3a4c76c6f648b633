"""What a reinforcement trainer needs to judge a new attempt at a task: its checks, as JSON. Never the reference."""

from __future__ import annotations

from typing import TypedDict

from crucible.exporting import Accepted
from crucible.record import canonical
from exporters.messages import tools


class Turn(TypedDict):
    """A turn of the prompt."""

    role: str
    content: str


class Extra(TypedDict):
    """What rides along."""

    task_id: str
    domain: str
    kind: str
    tools: str
    env: str
    split: str


def prompt(one: Accepted) -> list[Turn]:
    """What the agent is told before it does anything."""
    system: list[Turn] = [{"role": "system", "content": one.light.system}] if one.light.system else []
    return [*system, {"role": "user", "content": one.light.prompt}]


def checks(one: Accepted) -> str:
    """The verifiers and their parameters; what `crucible` would judge an attempt by."""
    return canonical([check.model_dump(mode="json") for check in one.task.checks]).decode()


def extra(one: Accepted) -> Extra:
    return {
        "task_id": one.task_id,
        "domain": one.task.domain,
        "kind": one.task.kind,
        "tools": tools(one.light),
        "env": canonical(one.task.env.model_dump(mode="json")).decode(),
        "split": "train",
    }
