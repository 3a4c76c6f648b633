"""Loans that are paid back in equal monthly payments, at the end of each month."""

from __future__ import annotations

import pyxirr

from pipelines.cowork.finance.tools import NoResult

MONTHS = 12


def monthly_payment(principal: float, yearly_rate: float, months: int) -> float:
    """Interest and repayment together."""
    return -_require(pyxirr.pmt(yearly_rate / MONTHS, months, principal))


def balance_after(principal: float, yearly_rate: float, payment: float, paid_months: int) -> float:
    """What is still owed after so many payments."""
    return -_require(pyxirr.fv(yearly_rate / MONTHS, paid_months, -payment, principal))


def interest_between(principal: float, yearly_rate: float, months: int, first: int, last: int) -> float:
    """The interest in the payments from the first to the last of these months, both counted."""
    if not 1 <= first <= last <= months:
        raise NoResult("the loan has no such payments")
    return -_require(pyxirr.cumipmt(yearly_rate / MONTHS, months, principal, first, last))


def months_to_repay(balance: float, yearly_rate: float, payment: float) -> float:
    """How many payments of this size pay back what is owed; the last may be a part."""
    return _require(pyxirr.nper(yearly_rate / MONTHS, -payment, balance))


def _require(value: float | None) -> float:
    if value is None or value != value:
        raise NoResult("the loan has no such value")
    return value
