"""What work is worth: gates let through, weights count, and everybody asks the same function."""

from __future__ import annotations

import pytest

from crucible.judging.judges import Judge, weigh_judges
from crucible.model import Criterion
from crucible.reward import is_enough, reward, score_criteria
from crucible.settings import RewardSettings
from tests.crucible.report import ledgers

MADE = ledgers.trajectory(ledgers.task())


def criterion(passed: bool, weight: float = 1.0, **fields: object) -> Criterion:
    return Criterion.model_validate({"name": "asked", "passed": passed, "evidence": "", "weight": weight, **fields})


@pytest.mark.parametrize(
    ("criteria", "score"),
    [
        ([criterion(True), criterion(False)], 0.5),
        ([criterion(True, 3), criterion(False)], 0.75),
        ([criterion(True), criterion(False, 0)], 1.0),
        ([criterion(True, gate=True), criterion(False)], 0.0),
        ([criterion(True, gate=True), criterion(True), criterion(False)], 0.5),
        ([criterion(False, gate=True), criterion(True)], 0.0),
        ([criterion(True, gate=True), criterion(True, gate=True, share=0.6)], 0.6),
        ([criterion(True, share=0.5), criterion(True)], 0.75),
    ],
)
def test_gates_let_through_and_the_rest_are_weighed(criteria: list[Criterion], score: float) -> None:
    assert score_criteria(criteria) == pytest.approx(score)


def test_a_check_accepts_all_that_counts_or_the_score_it_names_and_never_a_failed_gate() -> None:
    most = [criterion(True, 3), criterion(False)]
    assert not is_enough(most, 1.0)
    assert not is_enough(most, 0.8)
    assert is_enough(most, 0.75)
    assert not is_enough([*most, criterion(False, gate=True)], 0.0)
    assert is_enough([criterion(True, gate=True, share=0.6)], 1.0)
    assert is_enough([criterion(True), criterion(False, 0)], 1.0)


def test_a_verdict_counts_as_much_as_its_layer_and_one_that_only_lets_through_not_at_all() -> None:
    good, bad = ledgers.verdict(MADE, verifier="clicks"), ledgers.verdict(MADE, False, verifier="looks", score=0.5)
    judges = [
        Judge("clicks", 1, "", "", layer="interaction"),
        Judge("looks", 1, "", "", layer="visual"),
        Judge("runs", 1, "", "", gate=True, layer="execution", weight=0),
    ]
    weights = weigh_judges(judges, RewardSettings(layers={"interaction": 3.0}).layers)
    assert weights == {"clicks": 3.0, "looks": 1.0, "runs": 0.0}
    assert reward([good, bad], weights=weights) == 0.875
    assert reward([good, bad, ledgers.verdict(MADE, verifier="runs")], {"runs"}, weights) == 0.875
    assert reward([ledgers.verdict(MADE, verifier="runs")], {"runs"}, weights) == 1.0
    assert reward([bad], weights={"looks": 0.0}) == 0.5


def test_the_layers_that_only_web_applications_have_are_the_only_ones_that_count_differently() -> None:
    assert RewardSettings().layers == {"interaction": 2.0, "visual": 1.0}


def test_a_failed_gate_leaves_no_reward_and_any_other_failure_its_part() -> None:
    good, bad = ledgers.verdict(MADE, verifier="first"), ledgers.verdict(MADE, False, verifier="second", score=0.5)
    assert reward([good]) == 1.0
    assert reward([good, bad]) == 0.75
    assert reward([good, bad], {"second"}) == 0.0
    assert reward([]) == 0.0
