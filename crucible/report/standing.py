"""Where an attempt stands: its verdicts that count, and their outcome. Accepted here is what export accepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from crucible.judging.cascade import overall_outcome
from crucible.judging.judges import Judge, findings_in_order, weigh_judges
from crucible.model import Verdict
from crucible.reward import EVEN, Weights, reward

UNJUDGED = "unjudged"
"""Not every verifier that has to look has looked; `error` is one that looked and could not tell."""


@dataclass(frozen=True)
class Standing:
    """An outcome and the verdicts behind it."""

    outcome: str
    counting: tuple[Verdict, ...]
    stale: tuple[Verdict, ...] = ()
    """On other content, or by other versions, parameters or services than the task is now judged with."""
    gates: frozenset[str] = frozenset()
    """Verifiers whose failure stops the rest."""
    weights: Weights = field(default_factory=dict)
    """How much each verifier counts."""

    @property
    def why(self) -> str:
        """The first thing that was wrong, or that nothing was."""
        for verdict in self.counting:
            if verdict.outcome != "pass":
                return verdict.detail.partition("\n")[0]
        met = sum(len(verdict.criteria) for verdict in self.counting)
        return f"all {met} criteria met" if self.outcome == "pass" else ""

    @property
    def reward(self) -> float:
        """What the attempt is worth; nothing as long as it is not judged."""
        return reward(self.counting, self.gates, self.weights) if self.outcome in ("pass", "fail") else 0.0


def find_standing(
    verdicts: Sequence[Verdict], digest: str, judges: Sequence[Judge], layers: Weights = EVEN
) -> Standing:
    """What these judges found about this content. No judge, or one still to come, and nobody has accepted it."""
    about = {
        (verdict.verifier, verdict.version, verdict.params_hash, verdict.services_hash): verdict
        for verdict in verdicts
        if verdict.trajectory_digest == digest
    }
    counting, all_spoke = findings_in_order(about, judges)
    stale = tuple(verdict for verdict in verdicts if verdict not in counting)
    outcome: str = overall_outcome(counting) if counting else UNJUDGED
    if outcome != "error" and not all_spoke:
        outcome = UNJUDGED
    gates = frozenset(judge.verifier for judge in judges if judge.gate)
    return Standing(outcome, tuple(counting), stale, gates, weigh_judges(judges, layers))
