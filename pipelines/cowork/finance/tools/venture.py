"""Rounds of financing, and who gets what when a company is sold."""

from __future__ import annotations

from pipelines.cowork.finance.tools import NoResult


def pool_shares(existing: float, investment: float, pre_money: float, pool_share: float) -> float:
    """New options that make up a share of the company after the round, and are issued before it, at the expense of
    those who hold shares already."""
    after_round = 1 - investment / (pre_money + investment) - pool_share
    if after_round <= 0:
        raise NoResult("nothing is left for those who hold shares")
    return existing / after_round * pool_share


def share_price(pre_money: float, shares: float) -> float:
    """Of a round, by all shares and options before it."""
    return pre_money / shares


def shares_bought(investment: float, price: float) -> float:
    return investment / price


def holding(shares: float, all_shares: float) -> float:
    """The share of the company."""
    return shares / all_shares


def converted_shares(principal: float, interest_rate: float, years: float, price: float, discount: float) -> float:
    """What a convertible note with simple interest becomes, at a discount to the price of the round."""
    return principal * (1 + interest_rate * years) / (price * (1 - discount))


def preferred_proceeds(proceeds: float, preference: float, holding: float) -> float:
    """What a preferred holder who does not participate takes of the proceeds: the preference, or the share."""
    return min(proceeds, max(preference, proceeds * holding))


def participating_proceeds(proceeds: float, preference: float, holding: float) -> float:
    """What a preferred holder who participates takes: the preference, and the share of what is left."""
    first = min(proceeds, preference)
    return first + (proceeds - first) * holding
