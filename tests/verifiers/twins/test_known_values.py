"""Altered values could be right ones: another test expects them, or they are made of the same parts."""

from __future__ import annotations

from random import Random

import pytest

from verifiers.twins import apply_twins, draft_twins, group_by_test
from verifiers.twins.values.known_values import break_elsewhere, move_space, repeat_word
from verifiers.twins.values.literals import swap_case

LISTS = {
    "test_a.py": "def test_order():\n    assert names() == ['x', 'y', 'y']\n",
    "a.test.js": "test('order', () => {\n  expect(names()).toEqual(['x', 'y', 'y'])\n})\n",
}
NUMBERS = {
    "test_a.py": "def test_price():\n    assert price(1) == 450\n\n\ndef test_other():\n    assert price(2) == 900\n",
    "a.test.js": "test('a', () => {\n  expect(f(1)).toBe(450)\n})\ntest('b', () => {\n  expect(f(2)).toBe(900)\n})\n",
}


@pytest.mark.parametrize("path", LISTS)
def test_two_values_of_a_list_are_exchanged_before_one_is_altered(path: str) -> None:
    first = draft_twins({path: LISTS[path]}, seed="1")[0]
    assert apply_twins(LISTS, [first])[path] == LISTS[path].replace("['x', 'y', 'y']", "['y', 'x', 'y']")


@pytest.mark.parametrize("path", NUMBERS)
def test_a_number_becomes_one_that_another_test_expects(path: str) -> None:
    groups = group_by_test(draft_twins({path: NUMBERS[path]}, seed="1"))
    assert [twins[0].text for twins in groups.values()] in (["900", "450"], ["450", "900"])


def test_a_letter_becomes_one_that_another_test_expects() -> None:
    text = "def test_n():\n    assert point(0) == 'N'\n\n\ndef test_e():\n    assert point(90) == 'E'\n"
    groups = group_by_test(draft_twins({"test_a.py": text}, seed="1"))
    assert sorted(twins[0].text for twins in groups.values()) == ["'E'", "'N'"]


def test_a_text_of_several_lines_is_broken_elsewhere() -> None:
    assert break_elsewhere(r"aaaa\nbbbb cc") == r"aaaa bbbb\ncc"
    assert break_elsewhere(r"aaaa\nbbbb") == break_elsewhere("aaaa bbbb") == ""


def test_digits_in_quotes_are_no_number() -> None:
    text = "def test_a():\n    assert read() == '0123'\n\n\ndef test_b():\n    assert count() == 10\n"
    assert {twin.text for twin in draft_twins({"test_a.py": text}, seed="1") if twin.is_value}.isdisjoint(
        {"10", "0123"}
    )


def test_a_space_changes_places_with_a_neighbour_within_the_text() -> None:
    assert {move_space("ab cd", Random(seed)) for seed in range(9)} == {"a bcd", "abc d"}
    assert {move_space(text, Random(1)) for text in ("ab", " ab", "a\\n b", "12")} == {""}


def test_a_word_of_signs_is_said_twice_and_a_letter_is_written_large() -> None:
    assert repeat_word(".- / -...", Random(1)) == ".- / / -..."
    assert {repeat_word(text, Random(1)) for text in ("a b c", "/ a", "ab")} == {""}
    assert {swap_case("'ab 1'", Random(seed)) for seed in range(9)} == {"'Ab 1'", "'aB 1'"}
    assert swap_case("12", Random(1)) == ""
