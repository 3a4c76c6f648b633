"""The columns that people filter by: they stand in every row of an attempt, after what its trainer reads."""

from __future__ import annotations

from typing import TypedDict

from crucible.exporting import Judged


class AttemptColumns(TypedDict):
    """What is known of the attempt that a row is from."""

    task_id: str
    trajectory_id: str
    sample: int
    """The number of the row among those of its attempt."""
    group: str
    origin: str
    """The repository, post or query that the task came from: what splits keep together."""
    base_commit: str
    domain: str
    kind: str
    licence: str
    teacher: str
    model: str
    harness: str
    scaffold: str
    resolved: bool
    reward: float
    ended: str
    turns: int
    """Answers of the agent."""
    parallel_calls: bool
    """Whether an answer has several calls, which not every chat template takes."""
    characters: int
    tokens: int | None
    """By the tokenizer that the manifest names; the marks of a chat template come on top."""
    dropped_sections: list[str]
    """Sections of the system prompt that the agent was shown and the row does not show."""
    patch: str | None
    """What the attempt changed, where it left a diff."""


def attempt_columns(judged: Judged, characters: int, tokens: int | None, patch: str | None) -> AttemptColumns:
    """The columns of an attempt's first row; in the next ones `sample` is another."""
    task, light = judged.task, judged.light
    return {
        "task_id": judged.task_id,
        "trajectory_id": judged.trajectory_id,
        "sample": 0,
        "group": judged.group,
        "origin": task.provenance.origin or judged.task_id,
        "base_commit": task.provenance.commit,
        "domain": task.domain,
        "kind": task.kind,
        "licence": task.provenance.licence,
        "teacher": light.agent.teacher,
        "model": str(light.agent.options.get("model", "")),
        "harness": light.agent.harness,
        "scaffold": light.agent.scaffold,
        "resolved": judged.accepted,
        "reward": judged.reward,
        "ended": light.ended,
        "turns": len(light.steps),
        "parallel_calls": any(len(step.calls) > 1 for step in light.steps),
        "characters": characters,
        "tokens": tokens,
        "dropped_sections": [*judged.dropped_sections],
        "patch": patch,
    }
