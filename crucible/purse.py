"""The money that a run has spent on models: one purse for all chunks of a run, and for all that ask at its cost."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass
class Purse:
    """What is spent, in US dollars, and what is reserved for requests that are under way. It lasts as long as its
    process; a night's is kept in the ledger (`crucible/store/nights.py`)."""

    spent: float = 0.0
    reserved: float = 0.0

    async def pay(self, usd: float) -> None:
        """Count money as spent, at once for this process, then wherever the purse is kept."""
        self.spent += usd
        if usd:
            await asyncio.shield(self.keep(usd))

    async def keep(self, usd: float) -> None:
        """Write down what was spent, for whoever goes on with this run."""


@runtime_checkable
class Paid(Protocol):
    """A teacher that costs money."""

    def pay_from(self, purse: Purse) -> None:
        """Spend from this purse from now on, instead of one of its own."""
