"""Arithmetic on figures: what every analysis is made of."""

from __future__ import annotations


def total(values: list[float]) -> float:
    """All of them added up."""
    return sum(values)


def difference(a: float, b: float) -> float:
    """The first less the second."""
    return a - b


def rest_of_whole(part: float) -> float:
    """What a part leaves of the whole, both as shares."""
    return 1 - part


def product(a: float, b: float) -> float:
    return a * b


def quotient(a: float, b: float) -> float:
    """The first for each one of the second."""
    return a / b


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def growth(first: float, last: float) -> float:
    """The change as a share of where it began."""
    return last / first - 1


def compound_growth(first: float, last: float, years: int) -> float:
    """The yearly rate that leads from the first to the last."""
    return float((last / first) ** (1 / years)) - 1
