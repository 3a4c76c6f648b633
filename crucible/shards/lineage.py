"""The lineage table: for every attempt in the shards, where its task came from, who made it and who judged it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from pydantic_core import to_json

from crucible.exporting import Accepted, Ruling
from crucible.shards.schema import schema_of

NAME = "lineage.parquet"


class VerdictRow(TypedDict):
    """One verdict, without its evidence."""

    verifier: str
    version: int
    params_hash: str
    outcome: str
    score: float


class LineageLine(TypedDict):
    """One attempt as a row of the lineage table."""

    task_id: str
    trajectory_id: str
    trajectory_digest: str
    source: str
    licence: str
    url: str
    commit: str
    parent: str
    transform: str
    scaffold: str
    teacher: str
    options: str
    seed: int
    verdicts: list[VerdictRow]
    policy: str | None
    reason: str | None


def lineage_lines(one: Accepted) -> Iterator[LineageLine]:
    """The one line of the lineage table that an accepted attempt has."""
    came, agent = one.task.provenance, one.light.agent
    yield {
        "task_id": one.task_id,
        "trajectory_id": one.trajectory_id,
        "trajectory_digest": one.rulings[0].trajectory_digest,
        "source": came.source,
        "licence": came.licence,
        "url": came.url,
        "commit": came.commit,
        "parent": came.parent,
        "transform": came.transform,
        "scaffold": agent.scaffold,
        "teacher": agent.teacher,
        "options": to_json(agent.options).decode(),
        "seed": agent.seed,
        "verdicts": [_verdict_row(ruling) for ruling in one.rulings],
        "policy": one.selection.policy if one.selection else None,
        "reason": _selection_reason(one),
    }


SCHEMA = schema_of(lineage_lines)


def _verdict_row(ruling: Ruling) -> VerdictRow:
    return {
        "verifier": ruling.verifier,
        "version": ruling.version,
        "params_hash": ruling.params_hash,
        "outcome": ruling.outcome,
        "score": ruling.score,
    }


def _selection_reason(one: Accepted) -> str | None:
    choices = one.selection.choices if one.selection else ()
    return next((choice.reason for choice in choices if choice.trajectory_id == one.trajectory_id), None)
