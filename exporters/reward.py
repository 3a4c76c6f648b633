"""What a reinforcement trainer needs to judge a new attempt at a task: its checks, as JSON. Never the reference."""

from __future__ import annotations

from typing import TypedDict

from crucible.exporting import Accepted
from crucible.record import canonical
from exporters.messages import offered_tools


class Turn(TypedDict):
    """A turn of the prompt."""

    role: str
    content: str


class Extra(TypedDict):
    """What rides along with a task."""

    task_id: str
    domain: str
    kind: str
    tools: str
    env: str
    split: str


def prompt_turns(accepted: Accepted) -> list[Turn]:
    """What the agent is told before it does anything."""
    system: list[Turn] = [{"role": "system", "content": accepted.light.system}] if accepted.light.system else []
    return [*system, {"role": "user", "content": accepted.light.prompt}]


def checks_json(accepted: Accepted) -> str:
    """The verifiers and their parameters; what `crucible` would judge an attempt by."""
    return canonical([check.model_dump(mode="json") for check in accepted.task.checks]).decode()


def extra_info(accepted: Accepted) -> Extra:
    """What rides along with a task: where it runs and what its agent is offered."""
    return {
        "task_id": accepted.task_id,
        "domain": accepted.task.domain,
        "kind": accepted.task.kind,
        "tools": offered_tools(accepted.light),
        "env": canonical(accepted.task.env.model_dump(mode="json")).decode(),
        "split": "train",
    }
