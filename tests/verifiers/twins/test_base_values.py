"""What the base gives is found where a framework prints it beside what was expected, and is tried first."""

from __future__ import annotations

import pytest

from verifiers.twins import draft_twins
from verifiers.twins.values.base_values import base_values_first, find_beside

PYTEST = """
    def test_price():
>       assert price(2) == 450
E       assert 900 == 450
E        +  where 900 = price(2)

tests/test_price.py:2: AssertionError
1 failed in 0.03s
"""
TEST = "def test_price():\n    assert price(2) == 450\n"


@pytest.mark.parametrize(
    ("log", "expected", "value"),
    [
        (PYTEST, "450", "900"),
        ("Failed asserting that 900 is identical to 450.", "450", "900"),
        ('Expected: "3/4 cups"\n  Actual: "0 cups"', "3/4 cups", "0 cups"),
        ('--- expected\n+++ actual\n-"3/4 cups"\n+# encoding\n+# valid\n+"0 cups"', "3/4 cups", "0 cups"),
        ("thread 'adds' panicked at tests/a.rs:19:5:\nassertion failed\n  left: 3\n right: 5", "5", "3"),
        ("a_test.go:12: got 3, want 5", "5", "3"),
        ("expected: <full> but was: <new>", "full", "new"),
        ("Expected values to be strictly equal:\n\n{} !== null\n", "null", "{}"),
        ("tests/test_price.py:2: price(2) == 450\n67% tests passed, 1 tests failed out of 3", "450", ""),
        ("no value at all, in 0.03s at a_test.go:12", "5", ""),
        ("tests/test_price.py:450: error\n900 tests", "450", ""),
    ],
)
def test_the_value_of_the_base_is_the_one_that_is_printed_beside_the_expected_one(
    log: str, expected: str, value: str
) -> None:
    assert find_beside(log, expected, TEST) == value


def test_the_value_of_the_base_is_tried_before_others() -> None:
    files = {"tests/test_price.py": TEST}
    drafted = draft_twins(files, seed="1")
    first, *others = base_values_first(drafted, files, PYTEST)
    assert (first.text, first.line, first.is_value) == ("900", 2, True)
    assert others == list(drafted)


def test_without_a_known_value_the_alterations_stay_as_they_were() -> None:
    files = {"tests/test_price.py": TEST}
    drafted = draft_twins(files, seed="1")
    assert base_values_first(drafted, files, "ImportError: cannot import name 'price'") == list(drafted)
    assert base_values_first(drafted, files, "") == list(drafted)


def test_a_value_in_a_list_and_one_that_no_failure_names_stay_as_they_were() -> None:
    files = {"tests/test_price.py": "def test_names():\n    assert names() == ['x', 'y']\n"}
    drafted = draft_twins(files, seed="1")
    assert base_values_first(drafted, files, "assert ['y', 'x'] == ['x', 'y']\ntests/test_price.py:2:") == list(drafted)
    other = {"tests/test_price.py": TEST}
    drafted = draft_twins(other, seed="1")
    assert base_values_first(drafted, other, "450 lines, 900 errors") == list(drafted)
