from datetime import date

from shelf.loans import Loan, days_late, fine, give_back


def loan(since, **more):
    return Loan("9780441172719", "mira", since, **more)


def test_due_after_a_month():
    assert loan(date(2024, 3, 14)).due == date(2024, 4, 14)


def test_due_in_the_next_year():
    assert loan(date(2023, 11, 5), months=3).due == date(2024, 2, 5)


def test_the_due_day_is_free():
    assert fine(loan(date(2024, 3, 14)), date(2024, 4, 14)) == 0


def test_a_fine_grows_by_the_day():
    assert fine(loan(date(2024, 3, 14)), date(2024, 4, 17)) == 60


def test_a_fine_has_a_ceiling():
    assert fine(loan(date(2024, 3, 14)), date(2026, 4, 14)) == 1000


def test_a_returned_book_is_late_no_longer():
    closed = give_back(loan(date(2024, 3, 14)), date(2024, 4, 16))
    assert days_late(closed, date(2024, 8, 1)) == 2
