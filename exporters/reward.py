"""What a reinforcement trainer needs to have a task attempted and judged: the task, as JSON, without its reference."""

from __future__ import annotations

from typing import TypedDict

from crucible.errors import Rejected
from crucible.exporting import Judged
from crucible.model import Reference
from crucible.record import canonical
from exporters.messages import offered_tools


class Turn(TypedDict):
    """A turn of the prompt."""

    role: str
    content: str


class Worth(TypedDict):
    """What a judged attempt at the task was worth."""

    trajectory_id: str
    group: str
    reward: float


class Extra(TypedDict):
    """What rides along with a task."""

    task_id: str
    domain: str
    kind: str
    tools: str
    split: str
    attempts: list[Worth]
    """Where an export asks for them: what was tried before, and its reward."""


def prompt_turns(judged: Judged) -> list[Turn]:
    """What the agent is told before it does anything. Rejected where that is told by pictures."""
    require_no_pictures(judged)
    system: list[Turn] = [{"role": "system", "content": judged.light.system}] if judged.light.system else []
    return [*system, {"role": "user", "content": judged.light.prompt}]


def require_no_pictures(judged: Judged) -> None:
    """Reject a task that is told by pictures."""
    if judged.task.images or judged.light.images:
        raise Rejected("has_pictures", "this format has no place for them")


def task_json(judged: Judged) -> str:
    """All that `crucible episodes` needs to open a box for the task and to judge what was done there."""
    return canonical(judged.task.model_copy(update={"reference": Reference()}).model_dump(mode="json")).decode()


def extra_info(judged: Judged) -> Extra:
    """What rides along with a task: which it is, and what its agent is offered."""
    return {
        "task_id": judged.task_id,
        "domain": judged.task.domain,
        "kind": judged.task.kind,
        "tools": offered_tools(judged.light) or "[]",
        "split": "train",
        "attempts": list_worths(judged),
    }


def list_worths(judged: Judged) -> list[Worth]:
    """What the judged attempts at the task were worth, where the export asks for it."""
    return [
        {"trajectory_id": scored.trajectory_id, "group": scored.group, "reward": scored.reward}
        for scored in judged.scored
    ]
