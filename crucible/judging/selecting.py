"""From several accepted attempts at one task, keep a few by a stated policy, and say why for each.

score       the best judged first
brevity     the least written first
diversity   the best judged, then whoever is least like those already kept
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from crucible.errors import SettingsError
from crucible.model import Choice, Selection, Trajectory

NOUN = "selection"


@dataclass(frozen=True)
class Candidate:
    """An accepted attempt, reduced to what selection policies look at."""

    id: str
    score: float
    length: int
    acts: frozenset[str]
    """What it did: its calls, each once."""

    @classmethod
    def of(cls, id: str, score: float, trajectory: Trajectory) -> Candidate:
        spoken = sum(len(step.thinking) + len(step.text) for step in trajectory.steps)
        calls = [call for step in trajectory.steps for call in step.calls]
        written = sum(len(call.arguments) for call in calls)
        return cls(id, score, spoken + written, frozenset(f"{call.name} {call.arguments}" for call in calls))


Ranked = Iterator[tuple[Candidate, str]]
"""Candidates, the first to keep first, each with its reason."""


def select_attempts(
    task_id: str, candidates: Sequence[Candidate], policy: str, keep: int, where: str = ""
) -> Selection:
    """The selection for one task. Ties are broken by score, brevity and id, so that it is always the same."""
    ranked = list(find_policy(policy)(sorted(candidates, key=_rank_key)))
    choices = [
        Choice(
            trajectory_id=candidate.id,
            kept=place < keep,
            score=candidate.score,
            length=candidate.length,
            reason=f"{place + 1} of {len(ranked)} by {policy}: {why}",
        )
        for place, (candidate, why) in enumerate(ranked)
    ]
    return Selection(task_id=task_id, policy=policy, keep=keep, where=where, choices=tuple(choices))


def find_policy(policy: str) -> Callable[[Sequence[Candidate]], Ranked]:
    if policy not in POLICIES:
        raise SettingsError(f"there is no policy '{policy}'; there are: {', '.join(POLICIES)}")
    return POLICIES[policy]


def by_score(candidates: Sequence[Candidate]) -> Ranked:
    for candidate in candidates:
        yield candidate, f"score {candidate.score:.3f}"


def by_brevity(candidates: Sequence[Candidate]) -> Ranked:
    for candidate in sorted(candidates, key=lambda each: (each.length, -each.score, each.id)):
        yield candidate, f"{candidate.length} characters"


def by_diversity(candidates: Sequence[Candidate]) -> Ranked:
    """Each is compared with those before it: what counts is how unlike the nearest of them it is."""
    rest, before = list(candidates), list[Candidate]()
    while rest:
        # the first of equals, and they come best first
        candidate = max(rest, key=lambda other: _distance(other, before))
        distance = f"{_distance(candidate, before):.3f} from the nearest before it"
        yield candidate, distance if before else f"score {candidate.score:.3f}"
        rest.remove(candidate)
        before.append(candidate)


POLICIES = {"score": by_score, "brevity": by_brevity, "diversity": by_diversity}


def _rank_key(candidate: Candidate) -> tuple[float, int, str]:
    return -candidate.score, candidate.length, candidate.id


def _distance(candidate: Candidate, others: Sequence[Candidate]) -> float:
    """To the nearest of the others: the share of what either did that both did not."""
    return min((1 - _overlap(candidate.acts, other.acts) for other in others), default=1.0)


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    union = len(left | right)
    return len(left & right) / union if union else 1.0
