"""The lineage table: for every attempt in the shards, where its task came from, who made it and who judged it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from pydantic_core import to_json

from crucible.exporting import Judged, Ruling
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
    author: str
    url: str
    commit: str
    parent: str
    transform: str
    harness: str
    scaffold: str
    teacher: str
    options: str
    seed: int
    session: str
    group: str
    reward: float
    verdicts: list[VerdictRow]
    policy: str | None
    reason: str | None
    dropped_sections: list[str]


def lineage_lines(judged: Judged) -> Iterator[LineageLine]:
    """The one line of the lineage table that a judged attempt has."""
    provenance, agent = judged.task.provenance, judged.light.agent
    yield {
        "task_id": judged.task_id,
        "trajectory_id": judged.trajectory_id,
        "trajectory_digest": judged.rulings[0].trajectory_digest if judged.rulings else "",
        "source": provenance.source,
        "licence": provenance.licence,
        "author": provenance.author,
        "url": provenance.url,
        "commit": provenance.commit,
        "parent": provenance.parent,
        "transform": provenance.transform,
        "harness": agent.harness,
        "scaffold": agent.scaffold,
        "teacher": agent.teacher,
        "options": to_json(agent.options).decode(),
        "seed": agent.seed,
        "session": agent.session,
        "group": judged.group,
        "reward": judged.reward,
        "verdicts": [_verdict_row(ruling) for ruling in judged.rulings],
        "policy": judged.selection.policy if judged.selection else None,
        "reason": _selection_reason(judged),
        "dropped_sections": [*judged.dropped_sections],
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


def _selection_reason(judged: Judged) -> str | None:
    choices = judged.selection.choices if judged.selection else ()
    return next((choice.reason for choice in choices if choice.trajectory_id == judged.trajectory_id), None)
