"""Copies of a test, each altered in another place, stand beside it and are run with it."""

from __future__ import annotations

import ast
from random import Random

from crucible.domains.code.suite import Report, Suite, SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins import apply_twins
from verifiers.twins.copies import CopiedTest, list_idle, spread_copies
from verifiers.twins.draws import draw_runs
from verifiers.twins.judging import describe_unlike, find_unlike

PATH = "tests/test_sums.py"
TEXT = """import pytest


class TestSums:
    @pytest.mark.slow
    def test_adds(self):
        assert add(1, 2) == 3
        assert add(2, 2) == 4
        assert add(3, 2) == 5
        assert add(4, 2) == 6


def test_adds_2():
    assert add(0, 0) == 0
"""
ID = f"{PATH}::TestSums::test_adds"


def alter(value: int, text: str = "70", *, is_proven: bool = False) -> Twin:
    at = TEXT.index(f"== {value}\n") + 3
    line = TEXT.count("\n", 0, at) + 1
    return Twin(
        path=PATH, start=at, end=at + 1, text=text, test="TestSums::test_adds", line=line,
        is_value=True, fails=(ID,), is_proven=is_proven, is_copied=True,
    )  # fmt: skip


def params(*twins: Twin, runner: str = "pytest") -> SuiteParams:
    suite = Suite(runner=runner, command=runner)
    return SuiteParams(suite=suite, tests={PATH: TEXT}, fail_to_pass=(ID,), twins=twins)


def test_each_copy_fails_in_one_place_and_the_right_value_stands_nowhere() -> None:
    added = spread_copies(params(), [alter(3, "30")], [alter(4, "40"), alter(6, "60"), alter(5, "50")])
    text = apply_twins({PATH: TEXT}, [alter(3, "30"), *added])[PATH]
    made = next(node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    functions = {node.name: node for node in made.body if isinstance(node, ast.FunctionDef)}
    asserted = {
        name: [line.partition(") ")[2] for line in ast.unparse(node).splitlines() if "assert" in line]
        for name, node in functions.items()
    }
    assert asserted == {
        "test_adds": ["== 30", "!= 40", "!= 50", "!= 60"],
        "test_adds_3": ["!= 30", "== 40", "!= 50", "!= 60"],
        "test_adds_4": ["!= 30", "!= 40", "!= 50", "== 60"],
        "test_adds_5": ["!= 30", "!= 40", "== 50", "!= 60"],
    }
    assert all(node.decorator_list for node in functions.values())
    assert [copy.fails for copy in list_copies(added)] == [(f"{ID}_3",), (f"{ID}_4",), (f"{ID}_5",)]


def list_copies(added: list[Twin]) -> list[CopiedTest]:
    return [twin for twin in added if isinstance(twin, CopiedTest)]


def test_a_framework_that_runs_tests_by_name_gets_none() -> None:
    assert spread_copies(params(runner="unittest"), [alter(3)], [alter(4)]) == []


def test_every_assertion_of_a_test_is_altered_in_every_grading() -> None:
    twins = (alter(3, is_proven=True), alter(4, is_proven=True), alter(5), alter(6))
    for seed in range(20):
        runs = draw_runs(params(*twins), Random(seed))
        places = [twin.altered if isinstance(twin, CopiedTest) else twin for run in runs for twin in run]
        assert {twin.start for twin in places if twin.is_value} == {twin.start for twin in twins}


def test_a_copy_that_passes_is_told_with_what_was_altered_in_it() -> None:
    task, copies = params(alter(5)), list_copies(spread_copies(params(), [alter(3)], [alter(5)]))
    report = Report(outcomes={ID: "passed", f"{ID}_3": "passed"}, complete=True)
    assert find_unlike(task, copies, report) == [f"{ID}_3"]
    assert "in a copy of the test, `5` was changed to `70`" in describe_unlike(task, copies, report, [f"{ID}_3"])
    failed = Report(outcomes={ID: "passed", f"{ID}_3": "failed"}, complete=True)
    assert find_unlike(task, copies, failed) == []


def test_what_right_code_passes_tells_nothing() -> None:
    copies = list_copies(spread_copies(params(), [alter(3)], [alter(4), alter(6)]))
    report = Report(outcomes={f"{ID}_3": "failed", f"{ID}_4": "passed"}, complete=True)
    assert [twin.start for twin in list_idle(copies, report)] == [alter(6).start]
