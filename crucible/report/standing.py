"""Where an attempt stands: its verdicts that count, and their outcome. Accepted here is what export accepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crucible.judging.accepting import Judge
from crucible.judging.cascade import overall_outcome
from crucible.model import Verdict

UNJUDGED = "unjudged"
"""Not every verifier that has to look has looked; `error` is one that looked and could not tell."""


@dataclass(frozen=True)
class Standing:
    """An outcome and the verdicts behind it."""

    outcome: str
    counting: tuple[Verdict, ...]
    stale: tuple[Verdict, ...] = ()
    """On other content, or by other versions or parameters than the task now asks for."""

    @property
    def why(self) -> str:
        """The first thing that was wrong, or that nothing was."""
        for verdict in self.counting:
            if verdict.outcome != "pass":
                return verdict.detail.partition("\n")[0]
        met = sum(len(verdict.criteria) for verdict in self.counting)
        return f"all {met} criteria met" if self.outcome == "pass" else ""

    @property
    def score(self) -> float:
        return min((verdict.score for verdict in self.counting), default=0.0)


def find_standing(verdicts: Sequence[Verdict], digest: str, judges: Sequence[Judge]) -> Standing:
    """What these judges found about this content. No judge, or one still to come, and nobody has accepted it."""
    about = {
        (verdict.verifier, verdict.version, verdict.params_hash): verdict
        for verdict in verdicts
        if verdict.trajectory_digest == digest
    }
    counting = tuple(about[judge] for judge in judges if judge in about)
    stale = tuple(verdict for verdict in verdicts if verdict not in counting)
    outcome = overall_outcome(list(counting)) if counting else UNJUDGED
    if outcome == "pass" and len(counting) < len(judges):
        outcome = UNJUDGED
    return Standing(outcome, counting, stale)
