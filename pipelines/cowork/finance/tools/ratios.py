"""Ratios of a company's statements, from the lines that they are made of."""

from __future__ import annotations

DAYS = 365
"""Of a year, in ratios that are told in days."""


def ebitda(operating_profit: float, depreciation: float) -> float:
    """Operating profit before depreciation and amortisation, which is given as a positive cost."""
    return operating_profit + depreciation


def quick_ratio(current_assets: float, inventories: float, current_liabilities: float) -> float:
    return (current_assets - inventories) / current_liabilities


def net_debt(short_debt: float, long_debt: float, cash: float) -> float:
    return short_debt + long_debt - cash


def return_on_average(profit: float, opening: float, closing: float) -> float:
    """Profit over the mean of what stood on the balance sheet when the year began and when it ended."""
    return profit / ((opening + closing) / 2)


def days_held(balance: float, yearly_flow: float) -> float:
    """For how many days of the yearly flow the balance stands."""
    return balance / yearly_flow * DAYS


def cash_conversion_cycle(inventory_days: float, receivable_days: float, payable_days: float) -> float:
    return inventory_days + receivable_days - payable_days


def free_cash_flow(
    operating_profit: float, tax_rate: float, depreciation: float, investment: float, working_capital_rise: float
) -> float:
    """What the operations leave for all who finance them; the investment is given as a positive amount."""
    return operating_profit * (1 - tax_rate) + depreciation - investment - working_capital_rise
