from almanac import frost


def test_days():
    assert frost.days([3, -1, 0, -2]) == 2


def test_longest():
    assert frost.longest([3, -1, -2, 4, -1]) == 2


def test_longest_of_many_winters():
    winters = [-1] * 4 + [5] * 6
    assert frost.longest(winters * 100 + [-3] * 20) == 20


def test_no_frost():
    assert frost.longest([1, 2]) == frost.longest([]) == 0
