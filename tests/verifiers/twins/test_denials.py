"""Tests that say of every altered value that it is not so."""

from __future__ import annotations

from random import Random

from crucible.domains.code.suite import Report, Suite, SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins import apply_twins, draft_twins
from verifiers.twins.denials import DeniedValue, deny_places
from verifiers.twins.grading.draws import draw_runs
from verifiers.twins.grading.judging import describe_unlike, find_unlike

PATH = "tests/test_words.c"
TEXT = """#include "check.h"

int main(void)
{
    CHECK(words("one") == 1);
    CHECK(words("two of them") == 3);
    CHECK(strcmp(title("end"), "End") == 0);
    return 0;
}
"""


def read_task(text: str = TEXT, **said: bool) -> SuiteParams:
    drafted = [twin for twin in draft_twins({PATH: text}, seed="1") if twin.is_value and not twin.is_near]
    twins = tuple(twin.model_copy(update={"fails": ("words",), **said}) for twin in drafted)
    return SuiteParams(suite=Suite(), tests={PATH: text}, fail_to_pass=("words",), twins=twins)


def lay_in(task: SuiteParams, draw: list[Twin]) -> list[str]:
    return [line.strip() for line in apply_twins(task.tests, draw)[PATH].splitlines() if "CHECK(" in line]


def test_a_program_denies_all_its_values_at_once() -> None:
    task = read_task()
    lines = lay_in(task, deny_places(task, task.twins))
    assert all(line.startswith("CHECK(!(") and line.endswith("));") for line in lines)
    assert not {*lines} & {
        line.strip().replace("CHECK(", "CHECK(!(").replace(");", "));") for line in TEXT.splitlines()
    }
    assert [line.count("==") for line in lines] == [1, 1, 1]  # who looks for the sign finds it


def test_a_test_that_fewer_values_stand_in_or_that_has_copies_denies_none() -> None:
    short = read_task(TEXT.replace('    CHECK(strcmp(title("end"), "End") == 0);\n', ""))
    assert deny_places(short, short.twins) == []
    copied = read_task(is_copied=True)
    assert deny_places(copied, copied.twins) == []


def test_who_believes_a_denied_value_fails_what_right_code_passes() -> None:
    task = read_task(is_denied=True)
    draw = next(run for run in draw_runs(task, Random(1)) if any(isinstance(twin, DeniedValue) for twin in run))
    assert find_unlike(task, draw, Report(outcomes={"words": "passed"}, complete=True)) == []
    failed = Report(outcomes={"words": "failed"}, complete=True)
    assert find_unlike(task, draw, failed) == ["words"]
    assert "it says of altered values that they are not so" in describe_unlike(task, draw, failed, ["words"])
    assert not any(isinstance(twin, DeniedValue) for run in draw_runs(read_task(), Random(1)) for twin in run)
