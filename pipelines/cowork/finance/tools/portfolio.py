"""Statistics of price series, on pandas: returns from one price to the next, with what was not quoted left out."""

from __future__ import annotations

import pandas as pd

from pipelines.cowork.finance.tools import NoResult

WEEKS = 52
"""Of a year: the series are weekly."""


def weekly_returns(prices: list[float]) -> list[float]:
    """The change from each price to the next, as a share."""
    return list(pd.Series(prices).pct_change().iloc[1:])


def volatility(returns: list[float]) -> float:
    """Of a year: the sample standard deviation of weekly returns by the root of 52."""
    return float(pd.Series(returns).std(ddof=1) * WEEKS**0.5)


def mean_yearly_return(returns: list[float]) -> float:
    """The mean weekly return, by 52."""
    return float(pd.Series(returns).mean() * WEEKS)


def sharpe_ratio(yearly_return: float, risk_free: float, volatility: float) -> float:
    return (yearly_return - risk_free) / volatility


def largest_drawdown(prices: list[float]) -> float:
    """The deepest fall from an earlier high, as a share of that high; a positive number."""
    series = pd.Series(prices)
    return -float((series / series.cummax() - 1).min())


def beta(returns: list[float], market: list[float]) -> float:
    """The covariance with the market's returns over their variance."""
    variance = float(pd.Series(market).var(ddof=1))
    if not variance:
        raise NoResult("the market does not move")
    return float(pd.Series(returns).cov(pd.Series(market), ddof=1)) / variance


def weighted_returns(weights: list[float], first: list[float], second: list[float]) -> list[float]:
    """Weekly returns of a portfolio of two, brought back to its weights each week."""
    frame = pd.DataFrame({"first": first, "second": second})
    return list(frame["first"] * weights[0] + frame["second"] * weights[1])
