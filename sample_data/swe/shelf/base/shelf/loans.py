"""Who has which book, and until when."""

from dataclasses import dataclass, replace
from datetime import date

FINE_PER_DAY = 20
"""In cents."""
LARGEST_FINE = 1000


@dataclass(frozen=True)
class Loan:
    """One copy in one reader's hands."""

    isbn: str
    reader: str
    since: date
    months: int = 1
    returned: date = None

    @property
    def due(self):
        """The last day on which the book may come back without a fine."""
        return add_months(self.since, self.months)


def add_months(day, months):
    """The same day of a later month."""
    years, month = divmod(day.month - 1 + months, 12)
    return day.replace(year=day.year + years, month=month + 1)


def give_back(loan, today):
    """The loan, closed."""
    return replace(loan, returned=today)


def days_late(loan, today):
    """How many days the book is (or was) overdue."""
    end = loan.returned or today
    return max(0, (end - loan.due).days)


def fine(loan, today):
    """What the reader owes, in cents."""
    return min(LARGEST_FINE, days_late(loan, today) * FINE_PER_DAY)
