"""Purchases of companies: by another company, and by a fund with debt."""

from __future__ import annotations


def purchase_price(target_price: float, premium: float, target_shares: float) -> float:
    """Of all shares of the target, with the premium over the market."""
    return target_price * (1 + premium) * target_shares


def shares_issued(purchase_price: float, stock_share: float, acquirer_price: float) -> float:
    """New shares that pay for the part of the price that is paid in stock."""
    return purchase_price * stock_share / acquirer_price


def interest_after_tax(debt: float, rate: float, tax_rate: float) -> float:
    return debt * rate * (1 - tax_rate)


def combined_profit(acquirer: float, target: float, synergies: float, tax_rate: float, financing_cost: float) -> float:
    """Net profit of both, with the synergies after tax and less what the financing costs after tax."""
    return acquirer + target + synergies * (1 - tax_rate) - financing_cost


def accretion(profit: float, shares: float, combined_profit: float, combined_shares: float) -> float:
    """The change of the acquirer's earnings per share, as a share."""
    return (combined_profit / combined_shares) / (profit / shares) - 1


def enterprise_value(ebitda: float, multiple: float) -> float:
    return ebitda * multiple


def debt_of_turns(ebitda: float, turns: float) -> float:
    return ebitda * turns


def equity_cheque(price: float, fees: float, debt: float) -> float:
    """What the sponsor pays: all uses less the debt."""
    return price + fees - debt


def debt_after_sweep(debt: float, rate: float, tax_rate: float, flows: list[float]) -> float:
    """What is left of the debt when each year's flow before interest, less interest after tax on the debt at the
    beginning of the year, pays it down; never below nothing."""
    for flow in flows:
        debt = max(0.0, debt - (flow - debt * rate * (1 - tax_rate)))
    return debt


def multiple_of_money(invested: float, returned: float) -> float:
    return returned / invested


def yearly_rate(multiple: float, years: int) -> float:
    """The internal rate of return when all is paid at the beginning and comes back at the end."""
    return float(multiple ** (1 / years)) - 1
