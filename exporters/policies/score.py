"""The policy `score`: the best judged first."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.choosing import Candidate, Ranking
from crucible.parts import policy


@policy("score")
async def by_score(candidates: Sequence[Candidate]) -> Ranking:
    """The best judged first."""
    for candidate in candidates:
        yield candidate, f"score {candidate.score:.3f}"
