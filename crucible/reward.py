"""What work is worth, from 0 to 1. The one place that says so: judging, the report, selection and exports all ask here.

A verdict's score    gates let through, the other criteria are weighed: the share of their weight that is met
An attempt's reward  the mean of its verdicts' scores, each as heavy as its layer, and nothing once a gate was failed
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from crucible.model import Criterion, Outcome

Weights = Mapping[str, float]
"""How much things count, by name; 1 for what is not named."""
EVEN: Weights = MappingProxyType({})
"""All count the same."""


class Finding(Protocol):
    """A verdict, whole or in short."""

    @property
    def verifier(self) -> str: ...

    @property
    def outcome(self) -> Outcome: ...

    @property
    def score(self) -> float: ...


def reward(findings: Iterable[Finding], gates: Container[str] = (), weights: Weights = EVEN) -> float:
    """What an attempt is worth by what was found about it; `gates` are the verifiers whose failure stops the rest, and
    `weights` says how much each verifier counts. Where none of them counts, all do."""
    found = list(findings)
    if not found or any(finding.outcome == "fail" and finding.verifier in gates for finding in found):
        return 0.0
    heavy = [weights.get(finding.verifier, 1.0) for finding in found]
    if not any(heavy):
        heavy = [1.0] * len(found)
    return sum(weight * finding.score for weight, finding in zip(heavy, found, strict=True)) / sum(heavy)


def score_criteria(criteria: Sequence[Criterion]) -> float:
    """The share of the weight that is met, times how far the least met of the gates is."""
    if has_failed_gate(criteria):
        return 0.0
    gates = [criterion for criterion in criteria if criterion.gate]
    weighed = [criterion for criterion in criteria if not criterion.gate]
    total = sum(criterion.weight for criterion in weighed)
    met = sum(criterion.weight * criterion.share for criterion in weighed if criterion.passed)
    return min((gate.share for gate in gates), default=1.0) * (met / total if total else 1.0)


def is_enough(criteria: Sequence[Criterion], least: float) -> bool:
    """Whether criteria are met as far as a check asks: all that count, or a score it accepts. Never past a gate."""
    if has_failed_gate(criteria):
        return False
    return all(criterion.passed for criterion in criteria if criterion.weight) or score_criteria(criteria) >= least


def has_failed_gate(criteria: Iterable[Criterion]) -> bool:
    """Whether one of the criteria rejects at once."""
    return any(criterion.gate and not criterion.passed for criterion in criteria)
