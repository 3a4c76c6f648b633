"""verifiers: tasks for an environment of Prime Intellect's library, which prime-rl and others train with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import Judged
from crucible.parts import exporter
from exporters.reward import Worth, list_worths, require_no_pictures, task_json


class Row(TypedDict):
    """One task."""

    task_id: str
    domain: str
    kind: str
    instruction: str
    task: str
    """What the environment opens and judges by, as JSON."""
    attempts: list[Worth]
    """Where an export asks for them: what was tried before, and its reward."""


@exporter("verifiers", per="task", unsolved=True, rewards=True)
def verifiers(judged: Judged) -> Iterator[Row]:
    """verifiers (prime-rl): one row per task, solved or not; the taskset and the harness that come along run them.

    The policy acts in boxes that `crucible episodes` opens, with its model's own tool calls, and gets the reward of our
    checks. What breaks there is an error of the rollout and never a reward.
    """
    require_no_pictures(judged)
    yield {
        "task_id": judged.task_id,
        "domain": judged.task.domain,
        "kind": judged.task.kind,
        "instruction": judged.task.instruction,
        "task": task_json(judged),
        "attempts": list_worths(judged),
    }
