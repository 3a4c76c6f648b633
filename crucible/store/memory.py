"""A memory in the ledger: it outlives the process, and every machine that shares the ledger shares it.

What is remembered is written with the closing of the claim it was found out for, not by itself: a stage that remembers
thirty things of an item costs no transaction more than one that remembers none.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select

from crucible.mining import Locks
from crucible.record import Record
from crucible.store.database import read_transaction
from crucible.store.item import Item, row_text
from crucible.store.ledger import Ledger
from crucible.store.tables import item
from crucible.store.work_rows import chunks, is_among

NOUN = "memo"


class LedgerMemory(Locks):
    """Implements `crucible.mining.Memory`. The first of two machines to remember something is believed by both, from
    when it is written."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger
        self._written: dict[str, str] = {}
        """What was read from the ledger, where it never changes."""
        self._own: dict[str, str] = {}
        """What was found out here: believed until the ledger has it, perhaps from another machine."""
        self._new: list[str] = []
        """The keys of what is not yet handed over to be written."""
        self._facts: list[Item] = []
        """Facts that are not yet handed over."""

    def recall(self, key: str) -> str | None:
        return self.recall_all([key]).get(key)

    def recall_all(self, keys: Iterable[str]) -> dict[str, str]:
        keys = list(keys)
        found = self._read([key for key in keys if key not in self._written])
        self._written.update(found)
        for key in found:
            self._own.pop(key, None)
        return {key: known[key] for key in keys for known in (self._written, self._own) if key in known}

    def remember(self, key: str, value: str) -> None:
        if key not in self._written and key not in self._own:
            self._own[key] = value
            self._new.append(key)

    def keep_fact(self, noun: str, id: str, fact: Record) -> None:
        self._facts.append(Item.of(noun, fact, id=id, parent=id))

    def take_notes(self) -> list[Item]:
        """What is to be written, each once."""
        keys, self._new = self._new, []
        facts, self._facts = self._facts, []
        return [*(Item(noun=NOUN, id=key, body=self._own[key]) for key in keys if key in self._own), *facts]

    def _read(self, keys: list[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        if not keys:
            return found
        with read_transaction(self._ledger.engine) as connection:
            for chunk in chunks(keys):
                query = select(item).where(item.c.noun == NOUN, is_among(item.c.id, chunk))
                found |= {row.id: row_text(row, self._ledger.blobs) for row in connection.execute(query)}
        return found
