"""The funnel: how many items came to each stage, went on, or were dropped and why. A query, nothing kept."""

from __future__ import annotations

from collections import defaultdict
from typing import ClassVar

from pydantic import Field
from sqlalchemy import Connection, and_, func, select

from crucible.record import Record
from crucible.store.database import read_transaction
from crucible.store.ledger import Ledger
from crucible.store.tables import item, rejection, verdict, work


class StageCount(Record):
    """One stage of one pipeline. `came` is the sum of the four fates, so nothing leaves the count unseen."""

    shown_above_zero: ClassVar[frozenset[str]] = frozenset(("waiting", "errors"))
    pipeline: str
    stage: str
    came: int = 0
    waiting: int = 0
    done: int = 0
    dropped: int = 0
    errors: int = 0
    reasons: dict[str, int] = Field(default_factory=dict)
    """How many were dropped, by reason."""


class JudgeCount(Record):
    """What one verifier has found so far."""

    verifier: str
    version: int
    passed: int = 0
    failed: int = 0
    errors: int = 0


class Funnel(Record):
    """The counts of all nouns, stages and verifiers at one instant."""

    nouns: dict[str, int]
    stages: tuple[StageCount, ...]
    judges: tuple[JudgeCount, ...]


_COLUMN = {
    "todo": "waiting",
    "claimed": "waiting",
    "unpaid": "waiting",
    "done": "done",
    "dropped": "dropped",
    "error": "errors",
}
_OUTCOME = {"pass": "passed", "fail": "failed", "error": "errors"}

Key = tuple[str, str]


def count_funnel(ledger: Ledger) -> Funnel:
    """Count the funnel of a ledger as it stands."""
    with read_transaction(ledger.engine) as connection:
        return Funnel(
            nouns=_count_nouns(connection), stages=_count_stages(connection), judges=_count_verdicts(connection)
        )


def _count_nouns(connection: Connection) -> dict[str, int]:
    query = select(item.c.noun, func.count().label("n")).group_by(item.c.noun).order_by(item.c.noun)
    return {row.noun: row.n for row in connection.execute(query)}


def _count_stages(connection: Connection) -> tuple[StageCount, ...]:
    """In the order items reach them: the stage that saw the earliest item, and most of them, stands first."""
    counts: dict[Key, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    first: dict[Key, int] = {}
    place = (work.c.pipeline, work.c.stage)
    query = select(*place, work.c.state, func.count(), func.min(work.c.item)).group_by(*place, work.c.state)
    for pipeline, stage, state, n, earliest in connection.execute(query):
        key = (pipeline, stage)
        counts[key][_COLUMN[state]] += n
        counts[key]["came"] += n
        first[key] = min(first.get(key, earliest), earliest)
    order = sorted(counts, key=lambda key: (key[0], first[key], -counts[key]["came"]))
    reasons = _count_reasons(connection)
    return tuple(StageCount(pipeline=key[0], stage=key[1], **counts[key], reasons=reasons[key]) for key in order)


def _count_reasons(connection: Connection) -> dict[Key, dict[str, int]]:
    """Drops by reason, the commonest first."""
    reasons: dict[Key, dict[str, int]] = defaultdict(dict)
    same = and_(work.c.item == rejection.c.item, work.c.stage == rejection.c.stage)
    place = (work.c.pipeline, work.c.stage, rejection.c.reason)
    query = select(*place, func.count()).join_from(rejection, work, same).group_by(*place)
    for pipeline, stage, reason, n in connection.execute(query.order_by(func.count().desc(), rejection.c.reason)):
        reasons[pipeline, stage][reason] = n
    return reasons


def _count_verdicts(connection: Connection) -> tuple[JudgeCount, ...]:
    counts: dict[tuple[str, int], dict[str, int]] = defaultdict(dict)
    judge = (verdict.c.verifier, verdict.c.version)
    query = select(*judge, verdict.c.outcome, func.count()).group_by(*judge, verdict.c.outcome).order_by(*judge)
    for verifier, version, outcome, n in connection.execute(query):
        counts[verifier, version][_OUTCOME[outcome]] = n
    return tuple(JudgeCount(verifier=key[0], version=key[1], **outcomes) for key, outcomes in counts.items())
