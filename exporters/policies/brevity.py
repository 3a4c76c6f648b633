"""The policy `brevity`: the least written first."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.choosing import Candidate, Ranking
from crucible.parts import policy


@policy("brevity")
async def by_brevity(candidates: Sequence[Candidate]) -> Ranking:
    """The least written first."""
    for candidate in sorted(candidates, key=lambda each: (each.length, -each.score, each.id)):
        yield candidate, f"{candidate.length} characters"
