"""What a teacher costs. What a request may cost at most is reserved before it is made, so no budget is overrun."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from crucible.acting import TeacherSettings
from crucible.model import Usage
from crucible.purse import Purse

CHARACTERS_PER_TOKEN = 3
"""A token is taken to have no more characters than this, so that estimates of a price err upwards."""


@dataclass
class Budget:
    """A teacher's prices, and the purse it pays from: one of its own until it is handed the run's."""

    settings: TeacherSettings
    purse: Purse

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
        with self.purse.reserve(worst):
            yield


def estimate_tokens(characters: int) -> int:
    """About how many tokens a text of so many characters has, rather more than fewer."""
    return math.ceil(characters / CHARACTERS_PER_TOKEN)
