"""Twins are drafted in a seeded order, each in one place, each inside a test."""

from __future__ import annotations

from pathlib import Path
from random import SystemRandom

import pytest

from crucible.domains.code.altering import draw_halves, draw_twins
from crucible.domains.code.twins import Twin
from tests.verifiers.twins.drafted import differs_in_one_place, parses_like
from verifiers.twins import apply_twins, draft_twins, group_by_test

ROOT = Path(__file__).parents[3]
OWN = ["tests/test_layout.py", "tests/verifiers/test_tampering.py", "tests/agents/test_loop.py"]
PYTHON = (
    "def test_adds():\n    assert add(1, 2) == 3\n\n\ndef test_names():\n    assert name() == 'Ada' and age() == 36\n"
)


def test_the_same_seed_drafts_the_same_twins_in_the_same_order() -> None:
    files = {"test_a.py": PYTHON}
    assert draft_twins(files, seed="1") == draft_twins(files, seed="1")
    assert len({tuple(draft_twins(files, seed=str(seed))) for seed in range(9)}) > 1


def test_values_come_before_reversals() -> None:
    kinds = [twin.is_value for twin in draft_twins({"test_a.py": PYTHON}, seed="1")]
    assert kinds == sorted(kinds, reverse=True)
    assert set(kinds) == {True, False}


def test_alterations_of_one_test_stand_together() -> None:
    groups = group_by_test(draft_twins({"test_a.py": PYTHON}, seed="1"))
    assert set(groups) == {("test_a.py", "test_adds"), ("test_a.py", "test_names")}


def test_one_alteration_of_each_test_is_laid_into_the_file() -> None:
    groups = group_by_test(draft_twins({"test_a.py": PYTHON, "README": "text"}, seed="1"))
    altered = apply_twins({"test_a.py": PYTHON, "README": "text"}, [twins[0] for twins in groups.values()])
    assert altered["README"] == "text"
    lines = zip(PYTHON.splitlines(), altered["test_a.py"].splitlines(), strict=True)
    assert [before for before, after in lines if before != after] == PYTHON.splitlines()[1::4]


def test_alterations_that_overlap_are_refused() -> None:
    twins = [Twin(path="a", start=0, end=3, text="x"), Twin(path="a", start=2, end=4, text="y")]
    with pytest.raises(ValueError, match="overlap"):
        apply_twins({"a": "12345"}, twins)


def test_a_file_that_does_not_parse_or_holds_no_code_has_no_twins() -> None:
    assert draft_twins({"test_a.py": "def test_a(:\n", "data.json": "[1, 2]", "b.test.js": ""}, seed="1") == ()


@pytest.mark.parametrize("path", OWN)
def test_every_twin_of_this_repositorys_own_tests_parses_and_differs_in_one_place(path: str) -> None:
    text = (ROOT / path).read_text()
    twins = draft_twins({path: text}, seed="own")
    assert twins
    for twin in twins:
        altered = apply_twins({path: text}, [twin])[path]
        assert differs_in_one_place(twin, text, altered)
        assert parses_like(path, text, altered)


@pytest.mark.parametrize("tests", [1, 2, 3, 5])
def test_each_test_is_altered_in_one_of_two_runs(tests: int) -> None:
    twins = [
        Twin(path="a", start=at, end=at + 1, text="x", test=str(at // 2), fails=(str(at // 2),))
        for at in range(tests * 2)
    ]
    for _ in range(9):
        halves = draw_halves(twins, SystemRandom())
        assert sorted(twin.test for half in halves for twin in half) == sorted(map(str, range(tests)))
        assert all(halves) or tests == 1


def test_of_two_tests_one_is_altered_in_its_first_place_and_the_other_in_a_later_one() -> None:
    twins = [
        Twin(path="a", start=at, end=at + 1, text="x", test=str(at // 3), is_value=True, fails=("t",))
        for at in range(6)
    ]
    draws = [{twin.start for twin in draw_twins(twins, SystemRandom())} for _ in range(60)]
    assert all(len(draw & {0, 3}) == 1 for draw in draws)
    assert set().union(*draws) == set(range(6))


def test_alterations_that_make_the_same_test_fail_are_laid_into_one_run() -> None:
    fails = {"a": ("program",), "b": ("program", "other"), "c": ("other",)}
    twins = [Twin(path=path, start=0, end=1, text="x", fails=tests) for path, tests in fails.items()]
    first, second = draw_halves(twins, SystemRandom())
    assert (len(first), len(second)) == (0, 3)
