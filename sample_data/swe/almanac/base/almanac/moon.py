"""The phases of the moon, near enough for sowing."""

from datetime import date

NEW = date(2000, 1, 6)
"""A day with a new moon."""
MONTH = 29.530588
"""Days from one new moon to the next."""


def age(day):
    """Days since the last new moon."""
    return (day - NEW).days % 29


def phase(day):
    """What the moon is called on that day."""
    part = age(day) / MONTH
    names = ["new", "waxing", "half", "waxing", "full", "waning", "half", "waning"]
    return names[round(part * 8) % 8]
