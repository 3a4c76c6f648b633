"""A memory in the ledger: it outlives the process, and every machine that shares the ledger shares it."""

from __future__ import annotations

from crucible.mining import Locks
from crucible.store.item import Item
from crucible.store.ledger import Ledger

NOUN = "memo"


class LedgerMemory(Locks):
    """Implements `crucible.mining.Memory`. The first of two machines to remember something is believed by both."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger

    def recall(self, key: str) -> str | None:
        remembered = self._ledger.get(NOUN, key)
        return remembered.body if remembered else None

    def remember(self, key: str, value: str) -> None:
        self._ledger.put([Item(noun=NOUN, id=key, body=value)])
