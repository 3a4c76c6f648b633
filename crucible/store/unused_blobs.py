"""Blobs nobody needs. Conservative: whatever looks like a digest anywhere in the ledger is taken for a reference."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Table, select

from crucible.record import Record
from crucible.store.blobs import Blobs, Stored
from crucible.store.database import read_transaction
from crucible.store.item import row_text
from crucible.store.ledger import Ledger
from crucible.store.tables import item, verdict

GRACE_SECONDS = 24 * 3600.0
"""A blob is written before the row that names it: a young one may belong to work in flight."""

_DIGEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
# matches: a sha256 in hexadecimal that is no part of a longer number


class SweptBlobs(Record):
    """How many blobs a sweep removed, or would remove."""

    removed: int = 0
    bytes: int = 0
    kept: int = 0


def sweep_blobs(ledger: Ledger, blobs: Blobs, *, dry_run: bool = False, grace: float = GRACE_SECONDS) -> SweptBlobs:
    """Remove blobs that nothing refers to, and what killed writers left behind, once they are old enough."""
    old = time.time() - grace
    present = list(blobs.every())  # listed before the marks are read: what appears later is not even looked at
    needed = referenced_digests(ledger)
    doomed = [stored for stored in present if stored.modified < old and stored.digest not in needed]
    if not dry_run:
        for stored in doomed:
            blobs.delete(stored)
    return SweptBlobs(removed=len(doomed), bytes=_total(doomed), kept=len(present) - len(doomed))


def referenced_digests(ledger: Ledger) -> set[str]:
    """Every digest that occurs in any item or verdict, and those that hold their bodies."""
    digests: set[str] = set()
    for table in (item, verdict):
        for row in _stored_rows(ledger, table):
            digests.update(_DIGEST.findall(row_text(row, ledger.blobs)))
            digests.update(filter(None, [row.blob]))
    return digests


def _stored_rows(ledger: Ledger, table: Table) -> Iterator[Any]:
    """Body and blob of each row, streamed: all bodies at once would not fit into memory."""
    query = select(table.c.body, table.c.blob)
    with read_transaction(ledger.engine) as connection:
        for rows in connection.execution_options(yield_per=200).execute(query).partitions():
            yield from rows


def _total(files: list[Stored]) -> int:
    return sum(stored.bytes for stored in files)
