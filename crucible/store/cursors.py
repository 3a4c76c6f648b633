"""How far each source has read each origin, kept in the ledger with the items it gave."""

from __future__ import annotations

from crucible.store.database import read_transaction
from crucible.store.ledger import Ledger
from crucible.store.marks import read_mark


class LedgerCursor:
    """Implements `crucible.collecting.Cursor` for one pipeline, source and origin."""

    def __init__(self, ledger: Ledger, pipeline: str, source: str, origin: str, *, anew: bool = False) -> None:
        self.name = f"cursor {pipeline} {source} {origin}"
        self._ledger = ledger
        self._anew = anew
        self._place = ""

    def read(self) -> str:
        if self._anew:
            return ""
        with read_transaction(self._ledger.engine) as connection:
            return read_mark(connection, self.name) or ""

    def advance(self, place: str) -> None:
        self._place = place

    def take_marks(self) -> dict[str, str]:
        """What is to be written together with the items that were yielded so far."""
        return {self.name: self._place} if self._place else {}
