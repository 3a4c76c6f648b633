"""The ledger: which items there are, and what each stage has done with them.

A stage claims items under a lease, works, and closes each claim: `finish` with its outputs, `drop` with a
reason, or `fail` to have it tried again. Each of these is one transaction, and all of them may be repeated:
the same work twice is one row. A claim whose holder died is free again: at once when the holder was a
process of this machine, else when its lease ends. The questions people ask are in `crucible/store/funnel.py`
and `crucible/store/lookup.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Engine, Row, literal, select, update

from crucible.errors import StoreError
from crucible.mining import BlobStore
from crucible.model import Verdict
from crucible.store import owner
from crucible.store.database import connect_database, database_clock, read_transaction, write_transaction
from crucible.store.item import Claim, Item, Output, from_row, row_text, to_columns
from crucible.store.marks import write_mark
from crucible.store.outputs import OutputRows, insert_outputs
from crucible.store.tables import (
    create_schema,
    has_schema,
    insert_new,
    item,
    rejection,
    verdict,
    work,
)
from crucible.store.work_rows import (
    Now,
    chunks,
    claim_query,
    close_rows,
    held_claim,
    is_among,
    rows_of_ids,
    work_rows,
)

LIVES = 5
"""How often an item may take its process down with it before it is set aside."""
BACKOFF = 30.0
"""Seconds until the first retry; doubled each time."""

_serial = itertools.count(1)


class Ledger:
    """Open it with `open_ledger`."""

    def __init__(self, engine: Engine, blobs: BlobStore, clock: Callable[[], float] | None) -> None:
        self.engine = engine
        self.blobs = blobs
        self.owner = f"{owner.current_owner()}#{next(_serial)}"
        self._clock = clock

    def now(self) -> Now:
        """The moment at which a statement runs. By the database's clock: those of the machines that share a ledger
        differ, and a lease that one of them takes for ended is still held."""
        return literal(self._clock()) if self._clock else database_clock(self.engine.dialect.name)

    def put(self, outputs: Iterable[Output], stage: str = "", *, marks: Mapping[str, str] | None = None) -> int:
        """Keep the items and queue them for a stage, and put texts under names (`marks`), all or none; returns how many
        items that go on were not there before."""
        rows = OutputRows.of(outputs, self.blobs)
        with write_transaction(self.engine) as connection:
            for name, value in sorted((marks or {}).items()):
                write_mark(connection, name, value)
            return insert_outputs(connection, rows, stage, self.now())

    def claim(self, stage: str, n: int = 1, *, lease: float = 900.0) -> list[Claim]:
        """Up to `n` items that wait for the stage, oldest first; nobody else gets them before the lease ends."""
        with write_transaction(self.engine) as connection:
            taken = connection.execute(claim_query(stage, n, self.now(), lease, self.owner)).all()
            exhausted = [row.item for row in taken if row.attempts > LIVES]
            if exhausted:
                lost = {"state": "error", "ready_at": None, "detail": f"its process died {LIVES} times"}
                connection.execute(update(work).where(work_rows(exhausted, stage)).values(lost))
            kept = {row.item: row.attempts for row in taken if row.item not in exhausted}
            rows = connection.execute(
                select(item).where(is_among(item.c.sequence, list(kept))).order_by(item.c.sequence)
            ).all()
        return [self._claim(row, stage, kept[row.sequence]) for row in rows]

    def renew(self, claims: Iterable[Claim], *, lease: float = 900.0) -> None:
        """Hold claims for longer: work that takes longer than its lease says so before it ends."""
        with write_transaction(self.engine) as connection:
            for claim in sorted(claims, key=lambda claim: claim.sequence):
                mine = held_claim(claim).where(work.c.owner == self.owner)
                connection.execute(mine.values(ready_at=self.now() + lease))

    def finish(self, claim: Claim, outputs: Iterable[Output] = (), then: str = "") -> bool:
        """Close a claim with its outputs, queued for the stage `then`. False when someone else closed it
        first: then nothing is written."""
        return self.finish_all([(claim, outputs)], then) == 1

    def finish_all(
        self, finished: Iterable[tuple[Claim, Iterable[Output]]], then: str = "", notes: Iterable[Item] = ()
    ) -> int:
        """Close claims of one stage with their outputs, and keep notes that wait for no stage, in one transaction;
        returns how many claims were still open."""
        made = {claim.sequence: (claim.stage, OutputRows.of(outputs, self.blobs)) for claim, outputs in finished}
        noted, outputs = OutputRows.of(notes, self.blobs), OutputRows()
        with write_transaction(self.engine) as connection:
            closed = close_rows(connection, next(iter(made.values()))[0], sorted(made), "done") if made else []
            for sequence in sorted(closed):
                outputs.add(made[sequence][1])
            insert_outputs(connection, outputs, then, self.now())
            insert_outputs(connection, noted, "", self.now())
        return len(closed)

    def drop(self, claim: Claim, reason: str, detail: str = "") -> bool:
        """Close a claim with a rejection. False when someone else closed it first."""
        with write_transaction(self.engine) as connection:
            if not close_rows(connection, claim.stage, [claim.sequence], "dropped", reason):
                return False
            row = {"item": claim.sequence, "stage": claim.stage, "reason": reason, "detail": detail}
            connection.execute(insert_new(connection, rejection).values(row).on_conflict_do_nothing())
            return True

    def fail(self, claim: Claim, why: str, *, retries: int = 2, backoff: float = BACKOFF) -> bool:
        """Infrastructure broke: have the item tried again later. After `retries` more tries it is set
        aside as an error (returns False)."""
        again = claim.attempt <= retries
        later = self.now() + backoff * 2 ** (claim.attempt - 1)
        fate = {"state": "todo", "ready_at": later} if again else {"state": "error", "ready_at": None}
        with write_transaction(self.engine) as connection:
            mine = held_claim(claim).where(work.c.owner == self.owner)
            connection.execute(mine.values(owner="", detail=why, **fate))
        return again

    def set_aside_unpaid(self, claim: Claim, why: str) -> None:
        """Nobody can pay for the item in this run: it waits until it is reopened."""
        with write_transaction(self.engine) as connection:
            mine = held_claim(claim).where(work.c.owner == self.owner)
            connection.execute(mine.values(state="unpaid", owner="", ready_at=None, detail=why))

    def release(self) -> int:
        """Give back what this process holds, and what dead processes of this machine held."""
        with write_transaction(self.engine) as connection:
            held = select(work.c.owner).where(work.c.ready_at.is_not(None), work.c.owner != "").distinct()
            owners = [name for name in connection.scalars(held) if name != self.owner and owner.is_dead(name)]
            open_again = {"state": "todo", "owner": "", "ready_at": self.now()}
            back = update(work).where(work.c.state == "claimed", work.c.ready_at.is_not(None))
            dead = connection.execute(back.where(work.c.owner.in_(owners)).values(open_again)).rowcount
            mine = back.where(work.c.owner == self.owner).values(attempts=work.c.attempts - 1, **open_again)
            return dead + connection.execute(mine).rowcount

    def reopen(self, stage: str, ids: Iterable[str] | None = None, states: Sequence[str] = ("error",)) -> int:
        """Queue closed work again: what ended in error, or (say so) what was unpaid, is done but stale, or dropped."""
        with write_transaction(self.engine) as connection:
            query = select(work.c.item).where(work.c.stage == stage, work.c.state.in_(states))
            which = list(connection.scalars(query)) if ids is None else rows_of_ids(connection, query, list(ids))
            fresh = {"state": "todo", "owner": "", "attempts": 0, "ready_at": self.now(), "detail": ""}
            for chunk in chunks(which):
                connection.execute(update(work).where(work_rows(chunk, stage)).values(fresh))
                old = rejection.c.item.in_(chunk) & (rejection.c.stage == stage)
                connection.execute(rejection.delete().where(old))
            return len(which)

    def get(self, noun: str, id: str) -> Item | None:
        """The item of that noun and id, if it is there."""
        with read_transaction(self.engine) as connection:
            row = connection.execute(select(item).where(item.c.noun == noun, item.c.id == id)).first()
        return from_row(row, self.blobs) if row else None

    def keep_verdict(self, found: Verdict) -> None:
        """Keep a verdict. A decided one stays as it is; one that could not be decided gives way."""
        facts = found.model_dump(include={column.name for column in verdict.c})
        row = facts | to_columns(found.model_dump_json(), self.blobs)
        with write_transaction(self.engine) as connection:
            statement = insert_new(connection, verdict).values(row)
            change = {name: statement.excluded[name] for name in ("outcome", "score", "body", "blob")}
            undecided = verdict.c.outcome == "error"
            keys = list(verdict.primary_key.columns)
            connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=change, where=undecided))

    def verdict(
        self, trajectory_digest: str, verifier: str, version: int, params_hash: str, services_hash: str = ""
    ) -> Verdict | None:
        """The verdict on this content by this verifier with these services, if it is known."""
        key = (trajectory_digest, verifier, version, params_hash, services_hash)
        exact = [column == value for column, value in zip(verdict.primary_key.columns, key, strict=True)]
        with read_transaction(self.engine) as connection:
            row = connection.execute(select(verdict).where(*exact)).first()
        return Verdict.model_validate_json(row_text(row, self.blobs)) if row else None

    def _claim(self, row: Row[Any], stage: str, attempt: int) -> Claim:
        return Claim(stage=stage, item=from_row(row, self.blobs), sequence=row.sequence, attempt=attempt)


@contextmanager
def open_ledger(url: str, blobs: BlobStore, *, clock: Callable[[], float] | None = None) -> Iterator[Ledger]:
    """The ledger at a database URL, its tables made if need be. Claims still held are given back at the end. Leases
    go by the database's clock unless another is given."""
    engine = connect_database(url)
    try:
        with read_transaction(engine) as connection:
            has_tables = has_schema(connection)
        if not has_tables:
            with write_transaction(engine) as connection:
                create_schema(connection)
        ledger = Ledger(engine, blobs, clock)
        try:
            yield ledger
        except BaseException:
            with suppress(StoreError):  # what went wrong is told, not that its claims must wait for their lease
                ledger.release()
            raise
        ledger.release()
    finally:
        engine.dispose()
