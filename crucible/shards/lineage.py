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
    verdicts: list[VerdictRow]
    policy: str | None
    reason: str | None


def lineage_lines(accepted: Accepted) -> Iterator[LineageLine]:
    """The one line of the lineage table that an accepted attempt has."""
    provenance, agent = accepted.task.provenance, accepted.light.agent
    yield {
        "task_id": accepted.task_id,
        "trajectory_id": accepted.trajectory_id,
        "trajectory_digest": accepted.rulings[0].trajectory_digest,
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
        "verdicts": [_verdict_row(ruling) for ruling in accepted.rulings],
        "policy": accepted.selection.policy if accepted.selection else None,
        "reason": _selection_reason(accepted),
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


def _selection_reason(accepted: Accepted) -> str | None:
    choices = accepted.selection.choices if accepted.selection else ()
    return next((choice.reason for choice in choices if choice.trajectory_id == accepted.trajectory_id), None)
