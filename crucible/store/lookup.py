"""Looking things up in the ledger: items by noun or by the start of their id, their fates, their verdicts."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Row, Select, and_, bindparam, collate, select

from crucible.exporting import Ruling
from crucible.model import Verdict
from crucible.record import Record
from crucible.store.database import read_transaction
from crucible.store.item import Entry, Item, column_text, from_row, row_text
from crucible.store.ledger import Ledger
from crucible.store.tables import item, rejection, verdict, work

_PAGE = 200
_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_NUMBERS: BindParameter[Any] = bindparam("numbers", expanding=True)
_STORED = select(item.c.sequence, item.c.id, item.c.digest, item.c.body, item.c.blob)
_NUMBERED = _STORED.where(item.c.sequence.in_(_NUMBERS))
_NAMED = _STORED.where(item.c.noun == bindparam("noun"), item.c.id.in_(_IDS))
_RULED = select(verdict.c.trajectory_id, *(verdict.c[name] for name in Ruling._fields), verdict.c.blob).where(
    verdict.c.trajectory_id.in_(_IDS)
)
"""Queries of a pass over very many are made once: to make one takes longer than to ask it."""


class Fate(Record):
    """What one stage did with an item."""

    noun: str
    stage: str
    state: str
    attempts: int = 0
    reason: str = ""
    """Why it was dropped."""
    detail: str = ""


def list_items(ledger: Ledger, noun: str, *, pipeline: str = "") -> Iterator[Item]:
    """All items of a noun, in the order they came; in pages, so that the database is not held while you work."""
    condition = item.c.noun == noun if not pipeline else and_(item.c.noun == noun, item.c.pipeline == pipeline)
    last = 0
    while True:
        query = select(item).where(condition, item.c.sequence > last).order_by(item.c.sequence).limit(_PAGE)
        with read_transaction(ledger.engine) as connection:
            rows = connection.execute(query).all()
        for row in rows:
            last = row.sequence
            yield from_row(row, ledger.blobs)
        if len(rows) < _PAGE:
            return


def list_ids(ledger: Ledger, start: str = "", *, limit: int = 20) -> list[str]:
    """Ids that begin with `start`, each once."""
    query = select(item.c.id).where(_starts_with(start)).distinct().order_by(item.c.id).limit(limit)
    with read_transaction(ledger.engine) as connection:
        return list(connection.scalars(query))


def list_ids_ending(ledger: Ledger, end: str, *, limit: int = 20) -> list[str]:
    """Ids whose last part, behind a dash, is `end`: the hash of a trajectory is enough to find it."""
    query = select(item.c.id).where(item.c.id.endswith(f"-{end}", autoescape=True)).distinct().order_by(item.c.id)
    with read_transaction(ledger.engine) as connection:
        return list(connection.scalars(query.limit(limit)))


def item_versions(ledger: Ledger, id: str) -> list[Item]:
    """Everything under one id: a task is a draft first."""
    with read_transaction(ledger.engine) as connection:
        rows = connection.execute(select(item).where(item.c.id == id).order_by(item.c.sequence)).all()
    return [from_row(row, ledger.blobs) for row in rows]


def item_children(ledger: Ledger, id: str) -> list[tuple[str, str]]:
    """Noun and id of what was made from an item."""
    query = select(item.c.noun, item.c.id).where(item.c.parent == id).order_by(item.c.sequence)
    with read_transaction(ledger.engine) as connection:
        return [(noun, child) for noun, child in connection.execute(query)]


def item_fates(ledger: Ledger, id: str) -> list[Fate]:
    """What each stage did with an item."""
    same = and_(rejection.c.item == work.c.item, rejection.c.stage == work.c.stage)
    joined = work.join(item, item.c.sequence == work.c.item).outerjoin(rejection, same)
    columns = (item.c.noun, work.c.stage, work.c.state, work.c.attempts, work.c.detail)
    query = select(*columns, rejection.c.reason, rejection.c.detail.label("why")).select_from(joined)
    with read_transaction(ledger.engine) as connection:
        rows = connection.execute(query.where(item.c.id == id).order_by(item.c.sequence, work.c.stage)).all()
    return [
        Fate(
            noun=row.noun,
            stage=row.stage,
            state=row.state,
            attempts=row.attempts,
            reason=row.reason or "",
            detail=row.why or row.detail,
        )
        for row in rows
    ]


def trajectory_verdicts(ledger: Ledger, trajectory_id: str) -> list[Verdict]:
    """What was found about a trajectory, by verifier."""
    query = select(verdict).where(verdict.c.trajectory_id == trajectory_id)
    with read_transaction(ledger.engine) as connection:
        rows = connection.execute(query.order_by(verdict.c.verifier, verdict.c.version)).all()
    return [Verdict.model_validate_json(row_text(row, ledger.blobs)) for row in rows]


def numbers_by_id(ledger: Ledger, noun: str) -> array[int]:
    """The numbers of all items of a noun by id, in the order of its characters: the same in every database."""
    plain = "C" if ledger.engine.dialect.name == "postgresql" else "BINARY"
    query = select(item.c.sequence).where(item.c.noun == noun).order_by(collate(item.c.id, plain))
    with read_transaction(ledger.engine) as connection:
        return array("q", connection.scalars(query))


def entries_by_number(ledger: Ledger, numbers: Sequence[int]) -> Iterator[Entry]:
    """A page of items, in the order of their numbers here; large bodies are fetched one at a time."""
    rows = {row[0]: row for row in _execute(ledger, _NUMBERED, numbers=numbers)}
    return (_make_entry(rows[number], ledger) for number in numbers if number in rows)


def entries_by_id(ledger: Ledger, noun: str, ids: Sequence[str]) -> Iterator[Entry]:
    """Of these ids of a noun, the items that are there."""
    rows = _execute(ledger, _NAMED, noun=noun, ids=ids) if ids else []
    return (_make_entry(row, ledger) for row in rows)


def list_task_attempts(ledger: Ledger, task_id: str) -> list[Entry]:
    """The trajectories of a task, whose ids begin with its own, in the order of the ids."""
    query = _STORED.where(item.c.noun == "trajectory", _starts_with(f"{task_id}-")).order_by(item.c.id)
    with read_transaction(ledger.engine) as connection:
        rows = connection.execute(query).all()
    return [_make_entry(row, ledger) for row in rows]


def list_children(ledger: Ledger, noun: str, parent: str) -> list[Item]:
    """All items of a noun under a parent, in the order they came."""
    query = select(item).where(item.c.noun == noun, item.c.parent == parent).order_by(item.c.sequence)
    with read_transaction(ledger.engine) as connection:
        rows = connection.execute(query).all()
    return [from_row(row, ledger.blobs) for row in rows]


def latest_item(ledger: Ledger, noun: str, parent: str) -> Item | None:
    """The youngest item of a noun under a parent."""
    query = select(item).where(item.c.noun == noun, item.c.parent == parent).order_by(item.c.sequence.desc()).limit(1)
    with read_transaction(ledger.engine) as connection:
        row = connection.execute(query).first()
    return from_row(row, ledger.blobs) if row else None


def rulings_by_trajectory(ledger: Ledger, ids: Sequence[str]) -> dict[str, list[Ruling]]:
    """What was found about these trajectories, by their ids."""
    rulings: dict[str, list[Ruling]] = defaultdict(list)
    for trajectory_id, *facts, body, blob in _execute(ledger, _RULED, ids=ids):
        rulings[trajectory_id].append(Ruling._make([*facts, column_text(body, blob, ledger.blobs)]))
    return rulings


def _execute(ledger: Ledger, query: Select[Any], **values: Any) -> Sequence[Row[Any]]:
    with read_transaction(ledger.engine) as connection:
        return connection.execute(query, values).all()


def _make_entry(row: Row[Any], ledger: Ledger) -> Entry:
    number, id, digest, body, blob = row
    return Entry(number, id, digest, column_text(body, blob, ledger.blobs))


def _starts_with(start: str) -> ColumnElement[bool]:
    """A range, which an index answers; LIKE would read everything."""
    return and_(item.c.id >= start, item.c.id < f"{start}\U0010ffff")
