"""The policy `diversity`: the best judged, then whoever is least like those already kept."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.choosing import Candidate, Ranking
from crucible.parts import policy


@policy("diversity")
async def by_diversity(candidates: Sequence[Candidate]) -> Ranking:
    """The best judged, then whoever is least like those before it."""
    rest, before = list(candidates), list[Candidate]()
    while rest:
        # the first of equals, and they come best first
        candidate = max(rest, key=lambda other: _distance(other, before))
        distance = f"{_distance(candidate, before):.3f} from the nearest before it"
        yield candidate, distance if before else f"score {candidate.score:.3f}"
        rest.remove(candidate)
        before.append(candidate)


def _distance(candidate: Candidate, others: Sequence[Candidate]) -> float:
    """To the nearest of the others: the share of what either did that both did not."""
    return min((1 - _overlap(candidate.acts, other.acts) for other in others), default=1.0)


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    union = len(left | right)
    return len(left & right) / union if union else 1.0
