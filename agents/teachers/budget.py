"""The run's budget. What a request may cost at most is reserved before it is made, so the budget is never overrun."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from crucible.acting import TeacherSettings
from crucible.errors import BudgetSpent
from crucible.model import Usage
from crucible.purse import Purse

CHARACTERS_PER_TOKEN = 3
"""A token is taken to have no more characters than this, so that estimates of a price err upwards."""


@dataclass
class Budget:
    """What a teacher may cost, and the purse it pays from: its own, or the run's."""

    settings: TeacherSettings
    purse: Purse = field(default_factory=Purse)

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """The price in US dollars of that many tokens."""
        return (prompt_tokens * self.settings.price_in + completion_tokens * self.settings.price_out) / 1e6

    async def charge(self, usage: Usage) -> Usage:
        """Count an answer as paid; returns its usage with the price filled in."""
        cost = self.cost(usage.prompt_tokens, usage.completion_tokens)
        await self.purse.pay(cost)
        return usage.model_copy(update={"cost_usd": cost})

    @contextmanager
    def reserve(self, characters: int, max_tokens: int) -> Iterator[None]:
        """Reserve what one request may cost at most while it runs; BudgetSpent when that no longer fits."""
        worst = self.cost(estimate_tokens(characters), max_tokens)
        purse = self.purse
        if worst and purse.spent + purse.reserved + worst > self.settings.budget_usd:
            raise BudgetSpent(
                f"{purse.spent:.4f} of {self.settings.budget_usd:.2f} USD are spent and the next answer may not fit",
                "raise teacher.budget_usd, or go on tomorrow: what is done is kept",
            )
        purse.reserved += worst
        try:
            yield
        finally:
            purse.reserved -= worst


def estimate_tokens(characters: int) -> int:
    """About how many tokens a text of so many characters has, rather more than fewer."""
    return math.ceil(characters / CHARACTERS_PER_TOKEN)
