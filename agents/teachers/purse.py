"""The run's money. What a request may cost at most is set aside before it is made, so the budget is never overrun."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from crucible.acting import TeacherSettings
from crucible.errors import BudgetSpent
from crucible.model import Usage

LETTERS = 3
"""Characters per token at the least, for estimates that err on the dear side."""


@dataclass
class Purse:
    """What has been spent and what is set aside."""

    settings: TeacherSettings
    spent: float = 0.0
    aside: float = 0.0

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """The price of that many tokens."""
        return (prompt_tokens * self.settings.price_in + completion_tokens * self.settings.price_out) / 1e6

    def charge(self, usage: Usage) -> Usage:
        """Pay for an answer; its usage with the price on it."""
        cost = self.cost(usage.prompt_tokens, usage.completion_tokens)
        self.spent += cost
        return usage.model_copy(update={"cost_usd": cost})

    @contextmanager
    def set_aside(self, characters: int, longest: int) -> Iterator[None]:
        """Room for one request. BudgetSpent when its worst case no longer fits."""
        worst = self.cost(tokens(characters), longest)
        if worst and self.spent + self.aside + worst > self.settings.budget_usd:
            raise BudgetSpent(
                f"{self.spent:.4f} of {self.settings.budget_usd:.2f} USD are spent and the next answer may not fit",
                "raise teacher.budget_usd, or go on tomorrow: what is done is kept",
            )
        self.aside += worst
        try:
            yield
        finally:
            self.aside -= worst


def tokens(characters: int) -> int:
    """About how many tokens, rather more than fewer."""
    return math.ceil(characters / LETTERS)
