"""Accepted in the report is what export accepts: every present judge passed it, on this very content."""

from __future__ import annotations

import pytest

from crucible.judging.judges import required_judges
from crucible.judging.reading import AttemptReader
from crucible.model import Check
from crucible.report.rows import read_attempts
from crucible.report.standing import find_standing
from crucible.running.run import Run
from tests.crucible.report import ledgers

TASK = ledgers.task(0)
MADE = ledgers.trajectory(TASK)
PASS, FAIL = ledgers.verdict(MADE), ledgers.verdict(MADE, passed=False)
ERROR = PASS.model_copy(update={"outcome": "error", "detail": "the box broke"})


@pytest.mark.parametrize(
    ("verdicts", "outcome"),
    [
        ([], "unjudged"),
        ([PASS], "pass"),
        ([FAIL], "fail"),
        ([ERROR], "error"),
        ([PASS.model_copy(update={"version": 99})], "unjudged"),
        ([PASS.model_copy(update={"params_hash": "other"})], "unjudged"),
        ([PASS.model_copy(update={"trajectory_digest": "other"})], "unjudged"),
        ([FAIL.model_copy(update={"version": 0}), PASS], "pass"),
    ],
    ids=["none", "pass", "fail", "error", "other-version", "other-params", "other-content", "judged-again"],
)
def test_only_present_verdicts_on_this_content_count(run: Run, verdicts: list[ledgers.Verdict], outcome: str) -> None:
    assert find_standing(verdicts, MADE.digest, required_judges(TASK)).outcome == outcome
    ledgers.keep(run, TASK, [MADE])
    for one in verdicts:
        run.ledger.keep_verdict(one)
    [row] = read_attempts(run.ledger)
    assert row.outcome == outcome
    assert (outcome == "pass") == bool(list(AttemptReader(run.ledger).stream()))


def test_report_and_export_weigh_the_layers_alike(run: Run) -> None:
    names, layers = ("app.execution", "app.interaction", "app.visual"), {"interaction": 3.0}
    task = TASK.model_copy(update={"checks": tuple(Check(verifier=name) for name in names)})
    made = ledgers.trajectory(task)
    ledgers.keep(run, task, [made])
    for judge, score in zip(required_judges(task), (1.0, 1.0, 0.5), strict=True):
        about = {"verifier": judge.verifier, "version": judge.version, "params_hash": judge.params_hash}
        run.ledger.keep_verdict(ledgers.verdict(made, **about, score=score))
    [row] = read_attempts(run.ledger, layers=layers)
    [read] = AttemptReader(run.ledger, layers=layers).stream()
    assert row.reward == read.judged.reward == 0.875


def test_half_of_the_judges_accept_nothing() -> None:
    two = TASK.model_copy(update={"checks": (*TASK.checks, Check(verifier="suite", params={"more": 1}))})
    assert find_standing([PASS], MADE.digest, required_judges(two)).outcome == "unjudged"
    assert find_standing([FAIL], MADE.digest, required_judges(two)).outcome == "fail"


def test_a_task_that_asks_nobody_or_is_gone_has_no_accepted_attempts() -> None:
    assert find_standing([PASS], MADE.digest, ()).outcome == "unjudged"
