"""What two runs, each with one half of the alterations, say together."""

from __future__ import annotations

import asyncio
import os
from unittest.mock import Mock

import pytest

from crucible.domains.code.suite import Report, Status, SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.trial import TrialRun
from verifiers.twins.grading import judging
from verifiers.twins.grading.judging import Halves, find_unlike

PARAMS = SuiteParams(tests={"t.py": "y"}, fail_to_pass=("a", "b"), pass_to_pass=("c",))
DRAWS = [[Twin(path="t.py", start=0, end=1, text="x", test=test, fails=(test,))] for test in ("a", "b")]


def run(code: int = 1, **outcomes: Status) -> TrialRun:
    return TrialRun(Report(outcomes=outcomes, complete=True, code=code), written=frozenset({str(outcomes)}))


def test_each_test_did_what_it_did_where_it_was_not_altered() -> None:
    runs = run(a="failed", b="passed", c="passed"), run(a="passed", b="failed", c="passed")
    merged = Halves(DRAWS, runs, pass_unaltered=True).plain_run
    assert merged is not None
    assert merged.report.outcomes == {"a": "passed", "b": "passed", "c": "passed"}
    assert (merged.report.is_honest, len(merged.written)) == (True, 2)


def test_where_a_half_is_wrong_only_a_run_without_alterations_tells_of_the_tests() -> None:
    plain = run(0, a="passed", b="passed", c="passed")
    assert Halves(DRAWS, [run(a="passed", b="passed", c="passed")]).plain_run is None
    assert Halves([(), DRAWS[0]], [plain]).plain_run is plain


def test_of_a_test_whose_alteration_nobody_has_tried_any_case_may_fail_and_one_must() -> None:
    params = SuiteParams(fail_to_pass=("t.py::rows[1]", "t.py::rows[2]"), pass_to_pass=("c",))
    row = Twin(path="t.py", start=0, end=1, text="x", test="rows", fails=params.fail_to_pass, is_proven=False)
    passed: dict[str, Status] = {"t.py::rows[1]": "passed", "t.py::rows[2]": "passed", "c": "passed"}
    for failing in ("t.py::rows[1]", "t.py::rows[2]", "t.py::rows[x]"):
        report = Report(outcomes={**passed, failing: "failed"}, complete=True)
        assert find_unlike(params, [row], report) == []
    assert find_unlike(params, [row], Report(outcomes=passed, complete=True)) == list(params.fail_to_pass)
    assert find_unlike(params, [row], Report(outcomes={**passed, "c": "failed"}, complete=True))[-1] == "c"


def test_altered_tests_must_fail_and_the_others_pass() -> None:
    right = run(a="failed", b="passed", c="passed")
    pleasing = run(0, a="passed", b="passed", c="passed")
    failing = run(a="failed", b="failed", c="failed")
    assert find_unlike(PARAMS, DRAWS[0], right.report) == []
    assert find_unlike(PARAMS, DRAWS[0], pleasing.report) == ["a"]
    assert find_unlike(PARAMS, DRAWS[0], failing.report) == ["b", "c"]


class FailingTrial:
    """Stands in for a trial whose tests fail, each run after a few turns of the others."""

    params = PARAMS

    def __init__(self) -> None:
        self.ended = 0

    async def run_attempt_again(self, draw: object) -> TrialRun:
        for _ in range(5):
            await asyncio.sleep(0)
        self.ended += 1
        return run(a="failed", b="failed", c="failed")


@pytest.mark.parametrize(("load", "ended"), [(0.5, 3), (64.0, 1)])
async def test_no_run_is_made_ahead_where_all_processors_are_busy(
    load: float, ended: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (load, load, load))
    monkeypatch.setattr(judging, "draw_runs", Mock(return_value=[[], *DRAWS]))
    trial = FailingTrial()
    halves = await judging.run_halves(trial)  # type: ignore[arg-type]
    assert halves.plain_run is halves.runs[0]
    assert trial.ended == ended


class PlannedTrial:
    """Stands in for a trial of which is known what each further run comes to."""

    params = PARAMS

    def __init__(self, *runs: TrialRun) -> None:
        self.runs = list(runs)
        self.boxes = Mock()
        self.boxes.blobs.put.return_value = ""

    async def run_attempt_again(self, draw: object) -> TrialRun:
        return self.runs.pop(0)

    async def run_reference(self, draw: object) -> TrialRun:
        return RIGHT[0]


RIGHT = run(a="failed", b="passed", c="passed"), run(a="passed", b="failed", c="passed")
UNSTEADY = run(a="failed", b="passed", c="failed")
PLEASING = run(a="passed", b="passed", c="passed")


@pytest.mark.parametrize(
    ("again", "passed"),
    [(RIGHT[0], True), (UNSTEADY, False), (PLEASING, False)],
    ids=["it passes then", "it fails again", "an altered test passes then"],
)
async def test_an_old_test_that_fails_beside_altered_ones_has_to_fail_again(again: TrialRun, passed: bool) -> None:
    trial = PlannedTrial(again)
    criterion = await judging.judge_twins(trial, Halves(DRAWS, (UNSTEADY, RIGHT[1])))  # type: ignore[arg-type]
    assert (criterion.passed, trial.runs) == (passed, [])


async def test_further_alterations_are_met_though_a_half_seemed_to_tell_enough() -> None:
    halves = Halves(DRAWS, (UNSTEADY, RIGHT[1]), left=[DRAWS[0]])
    criterion = await judging.judge_twins(PlannedTrial(RIGHT[0], PLEASING), halves)  # type: ignore[arg-type]
    assert not criterion.passed
