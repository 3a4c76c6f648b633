"""Which items there are: a page of them, by what they are, where they went and why they went no further."""

from __future__ import annotations

from sqlalchemy import Select, and_, func, select

from crucible.errors import CrucibleError
from crucible.record import Record
from crucible.store.database import read_transaction
from crucible.store.ledger import Ledger
from crucible.store.tables import item, rejection, work

SUMMARY = "task"
"""The noun that is listed where nothing is asked for."""


class Wanted(Record):
    """Which items; what is empty does not matter."""

    noun: str = ""
    pipeline: str = ""
    stage: str = ""
    state: str = ""
    reason: str = ""


class ListedItem(Record):
    """One item at one stage that has, or had, it in its queue."""

    id: str
    noun: str
    stage: str = ""
    state: str = ""
    reason: str = ""


class Listing(Record):
    """A page of items, and how many there are."""

    total: int
    items: tuple[ListedItem, ...] = ()


def list_wanted(ledger: Ledger, wanted: Wanted, limit: int) -> Listing:
    """The latest items that fit, the latest first. CrucibleError names the choices where a word fits nothing at all."""
    query = _select_items(wanted)
    with read_transaction(ledger.engine) as connection:
        total = connection.scalar(select(func.count()).select_from(query.subquery())) or 0
        rows = connection.execute(query.order_by(item.c.sequence.desc(), work.c.stage).limit(limit)).all()
    if not total:
        _explain_nothing(ledger, wanted)
    return Listing(
        total=total,
        items=tuple(
            ListedItem(
                id=row.id,
                noun=row.noun,
                stage=row.stage or "",
                state=row.state or "",
                reason=row.reason or "",
            )
            for row in rows
        ),
    )


def _select_items(wanted: Wanted) -> Select[tuple[str, ...]]:
    same = and_(rejection.c.item == work.c.item, rejection.c.stage == work.c.stage)
    joined = item.outerjoin(work, work.c.item == item.c.sequence).outerjoin(rejection, same)
    columns = (item.c.sequence, item.c.id, item.c.noun, work.c.stage, work.c.state, rejection.c.reason)
    query = select(*columns).select_from(joined)
    asked = wanted if any(wanted.model_dump().values()) else Wanted(noun=SUMMARY)
    pairs = zip(_COLUMNS.values(), (getattr(asked, name) for name in _COLUMNS), strict=True)
    return query.where(*(column == value for column, value in pairs if value))


_COLUMNS = {
    "noun": item.c.noun,
    "pipeline": item.c.pipeline,
    "stage": work.c.stage,
    "state": work.c.state,
    "reason": rejection.c.reason,
}


def _explain_nothing(ledger: Ledger, wanted: Wanted) -> None:
    """CrucibleError for the first word that nothing in the ledger has."""
    for name, column in _COLUMNS.items():
        with read_transaction(ledger.engine) as connection:
            known = [str(value) for value in connection.scalars(select(column).distinct().order_by(column)) if value]
        if (value := getattr(wanted, name)) and value not in known:
            raise CrucibleError(
                f"the ledger has no {name} '{value}'; it has: {', '.join(known) or 'none yet'}",
                "`crucible funnel` counts them",
            )
