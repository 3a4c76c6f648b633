"""What the tests did may turn a route, and the reason says so."""

import pytest

from crucible.domains.code.suite import Report
from crucible.mining import Route
from pipelines.swe.model import Overlay, PullRequest
from pipelines.swe.rewards.classify import Runs, classify
from pipelines.swe.rewards.second_look import reconsider_route

FIX = Route(kind="bugfix", confidence=0.6, why="title says 'fix'")
FEATURE = Route(kind="feature", confidence=0.6, why="title says 'add'")


def runs(base: dict[str, str], tested: dict[str, str], golden: dict[str, str]) -> Runs:
    made = [Report(outcomes=outcomes, complete=True) for outcomes in (base, tested, golden)]
    return Runs(base=(made[0],), tested=(made[1],), golden=(made[2],))


def patch(*added: str) -> str:
    body = "".join(f"+{line}\n" for line in added)
    return f"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,0 +1,{len(added)} @@\n{body}"


def look(route: Route, pull: PullRequest, measured: Runs, test: str = "") -> Route:
    return reconsider_route(route, pull, Overlay(tests={"tests/t.py": test}), measured, classify(measured))


def test_a_fix_whose_tests_all_need_a_new_name_is_a_feature(pulls: dict[int, PullRequest]) -> None:
    pull = pulls[7].model_copy(update={"patch": patch("def overdue(x):", "    return x")})
    measured = runs({}, {"tests/t.py::test_a": "failed"}, {"tests/t.py::test_a": "passed"})
    turned = look(FIX, pull, measured, "def test_a():\n    assert overdue(1)\n")
    assert turned.kind == "feature"
    assert "overdue" in turned.why
    assert "routed bugfix at first: title says 'fix'" in turned.why


def test_a_file_that_cannot_be_imported_before_the_change_is_a_feature(pulls: dict[int, PullRequest]) -> None:
    pull = pulls[7].model_copy(update={"patch": patch("def overdue(x):", "    return x")})
    measured = runs({}, {"tests/t.py": "failed"}, {"tests/t.py::test_a": "passed"})
    assert look(FIX, pull, measured, "from a import *\ndef test_a():\n    run()\n").kind == "feature"


def test_a_fix_with_one_test_of_what_was_there_stays_one(pulls: dict[int, PullRequest]) -> None:
    pull = pulls[7].model_copy(update={"patch": patch("def overdue(x):", "    return x")})
    both = {"tests/t.py::test_a": "failed", "tests/t.py::test_b": "failed"}
    measured = runs({}, both, dict.fromkeys(both, "passed"))
    text = "def test_a():\n    assert overdue(1)\n\n\ndef test_b():\n    assert old(1)\n"
    assert look(FIX, pull, measured, text) == FIX


@pytest.mark.parametrize(
    ("id", "own", "rest"),
    [
        (
            "tests/t.py::T::test_b with data set #1",
            "    function test_b(): void\n    {\n        old();\n    }\n",
            "    x();\n",
        ),
        ("pkg::TestB/sub", "func TestB(t *T) {\n\told()\n}\n", "func x() {\n\toverdue(1)\n}\n"),
        ("tests/t.py > a > b is old", "  it('b is old', () => {\n    old();\n  });\n", "  overdue(1);\n"),
    ],
)
def test_a_fix_is_held_against_its_own_test_in_any_language(
    id: str, own: str, rest: str, pulls: dict[int, PullRequest]
) -> None:
    pull = pulls[7].model_copy(update={"patch": patch("def overdue(x):", "    return x")})
    measured = runs({}, {id: "failed"}, {id: "passed"})
    text = f"{own}{rest.replace('x()', 'overdue(1)')}"
    assert look(FIX, pull, measured, text) == FIX
    assert look(FIX, pull, measured, text.replace("old()", "overdue(2)")).kind == "feature"


def test_a_feature_whose_tests_failed_all_along_is_a_fix(pulls: dict[int, PullRequest]) -> None:
    pull = pulls[7].model_copy(update={"patch": patch("    return 2")})
    failing = {"tests/t.py::test_a": "failed"}
    measured = runs(failing, failing, {"tests/t.py::test_a": "passed"})
    assert look(FEATURE, pull, measured).kind == "bugfix"


def test_a_feature_with_new_tests_stays_one(pulls: dict[int, PullRequest]) -> None:
    measured = runs({}, {"tests/t.py::test_a": "failed"}, {"tests/t.py::test_a": "passed"})
    assert look(FEATURE, pulls[7], measured) == FEATURE
