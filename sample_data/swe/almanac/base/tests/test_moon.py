from datetime import date

from almanac import moon


def test_a_new_moon():
    assert moon.phase(date(2000, 1, 6)) == "new"


def test_a_full_moon():
    assert moon.phase(date(2000, 1, 21)) == "full"
