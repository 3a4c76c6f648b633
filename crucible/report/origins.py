"""What came of the groups that raw items were drawn from, and how well the checks of tasks notice spoilt work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import select

from crucible.judging.judges import Identify, identify_nobody
from crucible.judging.yields import count_yields
from crucible.proving import NOUN, Proof
from crucible.record import Record
from crucible.store.database import read_transaction
from crucible.store.ledger import Ledger
from crucible.store.lookup import list_items
from crucible.store.tables import item

MOST = 60
"""Rows of a table: those that matter most come first."""


class GroupRow(Record):
    """A group of raw items, such as the queries of one meta-query."""

    group: str
    drawn: int
    tasks: int
    accepted: int
    factor: float


class AdequacyRow(Record):
    """A task whose good work was spoilt."""

    task: str
    mutants: int
    score: float
    missed: str
    """The ways of spoiling that its checks did not notice."""


class Origins(Record):
    """Both tables."""

    groups: tuple[GroupRow, ...] = ()
    adequacy: tuple[AdequacyRow, ...] = ()


def read_origins(ledger: Ledger, identify: Identify = identify_nobody) -> Origins:
    """What the ledger knows of them."""
    groups = sorted(_list_groups(ledger, identify), key=lambda row: (-row.accepted, -row.drawn, row.group))
    adequacy = sorted(_list_adequacy(ledger), key=lambda row: (row.score, row.task))
    return Origins(groups=tuple(groups[:MOST]), adequacy=tuple(adequacy[:MOST]))


def _list_groups(ledger: Ledger, identify: Identify) -> Iterator[GroupRow]:
    """The groups that led to a task at least once, of every pipeline: ids of other sources look like groups too."""
    for pipeline in _list_pipelines(ledger):
        yields = count_yields(ledger, pipeline, identify)
        if any(found.tasks for found in yields.values()):
            yield from (GroupRow(group=group, **found.model_dump()) for group, found in yields.items())


def _list_pipelines(ledger: Ledger) -> Sequence[str]:
    """The pipelines that have made a task."""
    made = select(item.c.pipeline).where(item.c.noun == "task").distinct().order_by(item.c.pipeline)
    with read_transaction(ledger.engine) as connection:
        return connection.scalars(made).all()


def _list_adequacy(ledger: Ledger) -> Iterator[AdequacyRow]:
    for proven in list_items(ledger, NOUN):
        proof = proven.record(Proof)
        if proof.mutation_score is not None and not proof.shared_from:
            mutants = [mutant for found in proof.settled for mutant in found.mutants]
            missed = ", ".join(mutant.name for mutant in mutants if not mutant.caught_by)
            yield AdequacyRow(task=proof.task_id, mutants=proof.mutants, score=proof.mutation_score, missed=missed)
