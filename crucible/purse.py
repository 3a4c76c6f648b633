"""The money that a run has spent on models: one purse for all chunks of a run, and for all that ask at its cost."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from crucible.errors import BudgetSpent


@dataclass
class Purse:
    """What is spent, in US dollars, and what is reserved for requests that are under way. It lasts as long as its
    process; a night's is kept in the ledger (`crucible/store/nights.py`)."""

    spent: float = 0.0
    reserved: float = 0.0
    limit: float = math.inf
    """What may be spent at most."""
    setting: str = "teacher.budget_usd"
    """The setting that holds the limit."""
    refused: dict[str, str] = field(default_factory=dict)
    """Teachers whose next answer did not fit any more, or whose endpoint refuses us, with the reason: they are not
    asked again from this purse."""

    @contextmanager
    def reserve(self, usd: float) -> Iterator[None]:
        """Hold so much back while the block runs; BudgetSpent when that no longer fits."""
        if usd and self.spent + self.reserved + usd > self.limit:
            raise BudgetSpent(
                f"{self.spent:.4f} of {self.limit:.2f} USD are spent and the next answer may not fit",
                f"raise {self.setting}, or go on tomorrow: what is done is kept",
            )
        self.reserved += usd
        try:
            yield
        finally:
            self.reserved -= usd

    async def pay(self, usd: float) -> None:
        """Count money as spent, at once for this process, then wherever the purse is kept."""
        self.spent += usd
        if usd:
            await asyncio.shield(self.keep(usd))

    async def keep(self, usd: float) -> None:
        """Write down what was spent, for whoever goes on with this run."""


@dataclass
class PurseShare(Purse):
    """A part of another purse, with a limit of its own: what is spent from it is spent from the whole as well."""

    whole: Purse = field(kw_only=True)

    @contextmanager
    def reserve(self, usd: float) -> Iterator[None]:
        """Hold so much back from the share and from the whole; BudgetSpent when it does not fit either of them."""
        with super().reserve(usd), self.whole.reserve(usd):
            yield

    async def keep(self, usd: float) -> None:
        """Pay it from the whole."""
        await self.whole.pay(usd)


@runtime_checkable
class Paid(Protocol):
    """A teacher or a service that costs money."""

    def pay_from(self, purse: Purse) -> None:
        """Spend from this purse from now on, instead of one of its own."""
