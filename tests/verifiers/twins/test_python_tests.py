"""How assertions of Python tests are altered."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest

from tests.verifiers.twins.drafted import altered_texts, replacements
from verifiers.twins import apply_twins, draft_twins

TYPES = {"datetime": datetime, "date": datetime.date, "Decimal": Decimal}


def wrap(claim: str) -> str:
    return f"def test_it(self):\n    {claim}\n"


@pytest.mark.parametrize(
    ("claim", "reversed_claim"),
    [
        ("assert shelf.find(1) == 2", "assert shelf.find(1) != 2"),
        ("assert book in shelf", "assert book not in shelf"),
        ("assert book not in shelf", "assert not (book not in shelf)"),
        ("assert shelf.book is None", "assert shelf.book is not None"),
        ("assert shelf", "assert not shelf"),
        ("assert not shelf.books()", "assert shelf.books()"),
        ("assert (a or b)", "assert (not (a or b))"),
        ("self.assertTrue(shelf)", "self.assertFalse(shelf)"),
        ("self.assertIn(1, shelf)", "self.assertNotIn(1, shelf)"),
        ("mock.assert_called_once()", "mock.assert_not_called()"),
    ],
)
def test_a_condition_is_turned_round(claim: str, reversed_claim: str) -> None:
    assert wrap(reversed_claim) in altered_texts("test_a.py", wrap(claim))


@pytest.mark.parametrize(
    ("claim", "altered"),
    [
        ("assert days() > 25", "assert days() < 25"),
        ("assert days() >= 25", "assert days() < 25"),
        ("assert first() < last()", "assert first() > last()"),
        ("assert 20 <= days() < 27", "assert 27 <= days() < 20"),
        ("assert 27 > days() > 20", "assert 20 > days() > 27"),
        ("self.assertGreater(days(), 25)", "self.assertLess(days(), 25)"),
        ("self.assertLessEqual(days(), 25)", "self.assertGreater(days(), 25)"),
    ],
)
def test_a_bound_is_asked_for_on_its_other_side_which_only_what_says_yes_to_all_is(claim: str, altered: str) -> None:
    twins = draft_twins({"test_a.py": wrap(claim)}, seed="1")
    assert apply_twins({"test_a.py": wrap(claim)}, twins[:1]) == {"test_a.py": wrap(altered)}
    assert [twin.is_value for twin in twins].count(True) == 1, "a number near it would be so as well"


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("assert total() == 47", "47"),
        ("assert total() == pytest.approx(3.25)", "3.25"),
        ("assert {'a': 1} == total()", "1"),
        ("assert name() == b'caf\\xe9'", "b'caf\\xe9'"),
        ("assert flag() is True", "True"),
        ("assert rows() == []", "[]"),
        ("self.assertEqual(total(), 47)", "47"),
        ("mock.assert_called_with(47, key='ä')", "47"),
        ("expected = (1, 'ö')\n    assert total() == expected", "'ö'"),
        ("with pytest.raises(ValueError, match='no'): total()", "ValueError"),
        ("with self.assertRaises(KeyError): total()", "KeyError"),
    ],
)
def test_an_expected_value_is_altered(claim: str, value: str) -> None:
    assert value in [old for old, _ in replacements("test_a.py", wrap(claim))]


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("assert due() == date(2024, 2, 29)", "date(2024, 2, 29)"),
        ("due = datetime.date(2024, 9, 30)\n    assert due == loan.due", "datetime.date(2024, 9, 30)"),
        ("self.assertEqual(sums(), {'a': Decimal('1.50')})", "{'a': Decimal('1.50')}"),
    ],
)
def test_a_value_of_a_type_of_python_is_altered_to_another_that_there_is(claim: str, value: str) -> None:
    text = f"import datetime\nfrom datetime import date\nfrom decimal import Decimal\n\n\n{wrap(claim)}"
    for seed in range(20):
        twins = [twin for twin in draft_twins({"test_a.py": text}, seed=str(seed)) if twin.is_value]
        assert twins
        for twin in twins:
            assert text[twin.start : twin.end] == value
            assert eval(twin.text, {**TYPES}) != eval(value, {**TYPES})


def test_a_type_of_the_project_is_not_taken_for_one_of_python() -> None:
    text = "from shelf import date\n\n\n" + wrap("assert due() == date(2024, 2, 29)")
    assert "[" in draft_twins({"test_a.py": text}, seed="2")[0].text


def test_what_is_handed_to_the_code_under_test_stays() -> None:
    old = [old for old, _ in replacements("test_a.py", wrap("assert add(5, 6) == 11"))]
    assert "5" not in old
    assert "6" not in old


def test_places_behind_letters_beyond_ascii_are_met() -> None:
    text = "def test_it():\n    assert ('ä€😀', find('é')) == ('ä', 12)  # ✓\n"
    assert ("12", "10") in replacements("test_a.py", text) or ("12", "11") in replacements("test_a.py", text)


def test_the_expected_value_of_a_row_of_parameters_is_altered() -> None:
    text = "@pytest.mark.parametrize('want, given', [(11, 22), (33, 44)])\ndef test_it(want, given):\n    run(want)\n"
    assert {old for old, _ in replacements("test_a.py", text)} == {"11", "33"}


@pytest.mark.parametrize("rows", ["[(22, 11), (44, 33)]", "rows"])
def test_the_expected_value_of_a_row_that_a_loop_goes_through_is_altered(rows: str) -> None:
    loop = f"for given, shares in {rows}:\n        assert share(given) == shares"
    text = f"def test_it():\n    rows = [(22, 11), (44, 33)]\n    {loop}\n"
    assert {old for old, _ in replacements("test_a.py", text)} >= {"11", "33"}


def test_every_value_of_an_expected_mapping_is_altered_before_its_keys() -> None:
    text = "def test_it():\n    assert f() == {'a': 12, 'b': 34, 'c': 56, 'd': 78, 'e': 91}\n"
    assert {old for old, _ in replacements("test_a.py", text)} >= {"12", "34", "56", "78", "91"}


@pytest.mark.parametrize(
    ("claim", "side"),
    [
        ("assert parse('a') == EXPECTED", "EXPECTED"),
        ("data = list(a)\n    assert load(dump(data)) == data", "data"),
        ("assert when() == date(2020, 1, 1)", "date(2020, 1, 1)"),
        ("assert want == parse('a')", "want"),
        ("self.assertEqual(parse('a'), self.want)", "self.want"),
    ],
)
def test_an_expected_value_that_is_not_written_out_is_put_into_a_list(claim: str, side: str) -> None:
    """Code that returns what it finds on the other side of the comparison passes these, and right code does not."""
    twins = draft_twins({"test_a.py": wrap(claim)}, seed="seed")
    old, new = next((wrap(claim)[twin.start : twin.end], twin.text) for twin in twins if twin.is_value)
    assert (old, side in new, new[0] in "[(") == (side, True, True)


def test_a_test_without_an_assertion_gets_one_that_fails() -> None:
    text = """class TestIt(TestCase):
    def test_it(self):
        run()  # fine

    def test_that(self):
        self.assertTrue(run())
"""
    start = "run()  # fine\n        self.assertEqual("
    assert sum(start in altered for altered in altered_texts("test_a.py", text)) == 1


def test_helpers_and_fixtures_stay() -> None:
    text = "def check(x):\n    assert x == 3\n\n\ndef test_it():\n    assert f() == 5\n"
    assert {twin.line for twin in draft_twins({"test_a.py": text}, seed="1")} == {6}


def test_a_test_is_named_as_pytest_names_it() -> None:
    text = "class TestA:\n    class TestB:\n        async def test_c(self):\n            assert f() == 3\n"
    assert {twin.test for twin in draft_twins({"test_a.py": text}, seed="1")} == {"TestA::TestB::test_c"}
