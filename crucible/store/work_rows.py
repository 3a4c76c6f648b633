"""The rows of `work`: how they are queued, claimed and closed, as statements. Transactions are the ledger's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, bindparam, literal, select, update

from crucible.store.item import Claim
from crucible.store.tables import item, work

V = TypeVar("V")
Now = ColumnElement[float]
"""The moment at which a statement runs, by the database's clock."""


def claim_query(stage: str, n: int, now: Now, lease: float, owner: str) -> Any:
    """Takes up to `n` rows that are ready, the oldest first, for an owner."""
    ready = (
        select(work.c.item)
        .where(work.c.stage == stage, work.c.ready_at <= now)
        .order_by(work.c.ready_at, work.c.item)
        .limit(n)
        .with_for_update(skip_locked=True)
    )
    held = {"state": "claimed", "owner": owner, "ready_at": now + lease, "attempts": work.c.attempts + 1}
    chosen = update(work).where(work.c.stage == stage, work.c.item.in_(ready))
    return chosen.values(held).returning(work.c.item, work.c.attempts)


def queue_query(stage: str, now: Now, noun: str, ids: Sequence[str]) -> Any:
    """The items of a noun with these ids, as rows of work."""
    columns = (
        item.c.sequence.label("item"),
        literal(stage).label("stage"),
        item.c.pipeline,
        literal("todo").label("state"),
        literal("").label("owner"),
        now.label("ready_at"),
        literal(0).label("attempts"),
        literal("").label("detail"),
    )
    return select(*columns).where(item.c.noun == noun, is_among(item.c.id, ids)).order_by(item.c.id)


def close_rows(connection: Connection, stage: str, items: Sequence[int], state: str, detail: str = "") -> list[int]:
    """Those that were still open. The first to close a row wins, whoever holds it now: its result is as good as any."""
    closed = {"state": state, "owner": "", "ready_at": None, "detail": detail}
    done: list[int] = []
    for chunk in chunks(items):
        rows = update(work).where(work_rows(chunk, stage), work.c.ready_at.is_not(None)).values(closed)
        done += connection.scalars(rows.returning(work.c.item))
    return done


def held_claim(claim: Claim) -> Any:
    """An update of the claim's row, if it is still open."""
    still_open = work.c.ready_at.is_not(None)
    return update(work).where(work.c.item == claim.sequence, work.c.stage == claim.stage, still_open)


def work_rows(items: Sequence[int], stage: str) -> Any:
    """The condition that a row is one of these items' at the stage."""
    return is_among(work.c.item, items) & (work.c.stage == stage)


def is_among(column: ColumnElement[V], values: Sequence[V]) -> ColumnElement[bool]:
    """`column IN (values)`, the values taken as they are: looking at each of them is most of what it would cost."""
    return column.in_(bindparam(None, list(values), expanding=True, unique=True))


def rows_of_ids(connection: Connection, query: Select[Any], ids: Sequence[str]) -> list[int]:
    """Those of the rows found whose item has one of the ids."""
    joined = query.join(item, item.c.sequence == work.c.item)
    return [row for chunk in chunks(ids) for row in connection.scalars(joined.where(is_among(item.c.id, chunk)))]


def chunks(values: Sequence[V], size: int = 500) -> Iterator[Sequence[V]]:
    """Databases limit how many values one statement may carry."""
    for start in range(0, len(values), size):
        yield values[start : start + size]
