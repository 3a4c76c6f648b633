"""The reward stage: what the route asks for is measured by execution, and becomes a draft task."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.errors import Rejected
from crucible.mining import Workshop
from pipelines.swe.model import Built, Candidate
from pipelines.swe.rewards import BUILDS


async def reward(candidate: Candidate, shop: Workshop) -> Sequence[Built]:
    """The candidate with a draft task."""
    kind = candidate.route.kind
    if kind not in BUILDS:
        raise Rejected("no_reward_for_route", f"{kind}: {candidate.route.why}")
    return [await BUILDS[kind](candidate, shop)]
