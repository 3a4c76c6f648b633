"""Which night it is, and what it has spent: in the ledger, so that a night that is started again, and every machine
that works on the same night, goes on with the same money.

A night that was handed over has ended, and one that began longer ago than a night lasts is over: the next to come
begins a new one, with nothing spent.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from crucible.purse import Purse
from crucible.record import Record
from crucible.store.database import read_transaction, write_transaction
from crucible.store.ledger import Ledger
from crucible.store.marks import read_mark, write_mark
from crucible.store.threads import in_thread

MARK = "night"


class NightMark(Record):
    """The night that the ledger knows of."""

    number: int = 0
    began: float = 0.0
    """By the database's clock."""
    ended: bool = True
    spent: float = 0.0
    """US dollars."""


@dataclass
class NightPurse(Purse):
    """The money of one night, kept in the ledger."""

    ledger: Ledger = field(kw_only=True)
    number: int = field(kw_only=True)

    async def keep(self, usd: float) -> None:
        """Add to what all machines of this night have spent, and take notice of what others did."""
        total = await in_thread(self._add, usd)
        self.spent = max(self.spent, total)

    def _add(self, usd: float) -> float:
        with write_transaction(self.ledger.engine) as connection:
            night = _read(connection, to_change=True)
            if night.number != self.number:  # the next one has begun: its money is not ours to count
                return 0.0
            night = night.model_copy(update={"spent": night.spent + usd})
            write_mark(connection, MARK, night.model_dump_json())
        return night.spent


def join_night(ledger: Ledger, seconds: float, limit: float) -> NightPurse:
    """The purse of the night that is under way, or of a new one: a night lasts at most so many seconds, and all that it
    asks may cost so many US dollars together."""
    with write_transaction(ledger.engine) as connection:
        night = _read(connection, to_change=True)
        now = float(connection.scalar(select(ledger.now())) or 0.0)
        if night.ended or now - night.began > seconds:
            night = NightMark(number=night.number + 1, began=now, ended=False)
            write_mark(connection, MARK, night.model_dump_json())
    return NightPurse(spent=night.spent, limit=limit, ledger=ledger, number=night.number)


def end_night(ledger: Ledger, number: int) -> None:
    """The night was handed over: whoever comes now begins another."""
    with write_transaction(ledger.engine) as connection:
        night = _read(connection, to_change=True)
        if night.number == number:
            write_mark(connection, MARK, night.model_copy(update={"ended": True}).model_dump_json())


def read_night(ledger: Ledger) -> NightMark:
    """The last night that was begun, with what it has spent."""
    with read_transaction(ledger.engine) as connection:
        return _read(connection)


def _read(connection: Connection, *, to_change: bool = False) -> NightMark:
    text = read_mark(connection, MARK, to_change=to_change)
    return NightMark.model_validate_json(text) if text else NightMark()
