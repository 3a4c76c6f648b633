"""Values of future payments."""

from __future__ import annotations

from datetime import date

import pyxirr

from pipelines.cowork.finance.tools import NoResult


def net_present_value(rate: float, flows: list[float]) -> float:
    """The first flow is due now, each further one a year later."""
    return _require(pyxirr.npv(rate, flows))


def internal_rate_of_return(flows: list[float]) -> float:
    """The yearly rate at which the flows come to nothing, the first due now."""
    return _require(pyxirr.irr(flows))


def dated_present_value(rate: float, dates: list[date], amounts: list[float]) -> float:
    """At the first date; years have 365 days."""
    return _require(pyxirr.xnpv(rate, dates, amounts))


def dated_rate_of_return(dates: list[date], amounts: list[float]) -> float:
    """The yearly rate at which dated flows come to nothing; years have 365 days."""
    return _require(pyxirr.xirr(dates, amounts))


def project_flows(first: float, growth: float, years: int) -> list[float]:
    """Flows of so many years, the first of which has grown once already."""
    return [first * (1 + growth) ** year for year in range(1, years + 1)]


def present_value_of_year_ends(rate: float, flows: list[float]) -> float:
    """The first flow is due in a year."""
    return _require(pyxirr.npv(rate, [0.0, *flows]))


def terminal_value(flows: list[float], growth: float, rate: float) -> float:
    """At the end of the last year: what all later flows are worth when they grow for ever."""
    if rate <= growth:
        raise NoResult("the rate is not above the growth for ever")
    return flows[-1] * (1 + growth) / (rate - growth)


def discount(value: float, rate: float, years: int) -> float:
    return float(value / (1 + rate) ** years)


def cost_of_equity(risk_free: float, beta: float, premium: float) -> float:
    """By the capital asset pricing model."""
    return risk_free + beta * premium


def weighted_cost_of_capital(
    equity: float, debt: float, cost_of_equity: float, cost_of_debt: float, tax_rate: float
) -> float:
    """The cost of equity and the cost of debt after tax, weighted by the values of both."""
    return (equity * cost_of_equity + debt * cost_of_debt * (1 - tax_rate)) / (equity + debt)


def equity_value(enterprise_value: float, net_debt: float) -> float:
    return enterprise_value - net_debt


def _require(value: float | None) -> float:
    if value is None:
        raise NoResult("the flows have no such value")
    return value
