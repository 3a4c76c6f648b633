from almanac import sowing


def test_what_is_sown_in_a_week():
    assert sowing.sown_in(12) == ["carrots", "spinach"]


def test_nothing_is_sown_in_winter():
    assert sowing.sown_in(2) == []
