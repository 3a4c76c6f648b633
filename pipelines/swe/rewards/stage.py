"""The reward stage: what the route asks for is measured by execution, and becomes a draft task.

A change that is not what it was taken for (no faster, no better arranged, not only tests) may still be told by its
tests: then it goes on as `other`, and the second look may find out more.
"""

from __future__ import annotations

from collections.abc import Sequence

from crucible.errors import Rejected
from crucible.mining import MiningContext, Route
from pipelines.swe.model import Built, Candidate
from pipelines.swe.rewards import BUILDS, fail_to_pass
from pipelines.swe.routes.routers import is_claimed_by_author

NOT_THIS = frozenset({"not_covered", "not_timed", "no_speedup", "no_structural_goal", "no_pass_to_pass"})
"""Reasons that speak against the route alone."""


async def reward(candidate: Candidate, context: MiningContext) -> Sequence[Built]:
    """The candidate with a draft task."""
    route = candidate.route
    if route.kind == "test":
        other = _as_other(candidate, "source is changed as well")
        return [await fail_to_pass.build(other, context, claims_no_change=is_claimed_by_author(route))]
    build = BUILDS.get(route.kind, fail_to_pass.build)
    try:
        return [await build(candidate, context)]
    except Rejected as refused:
        if build is fail_to_pass.build or refused.reason not in NOT_THIS:
            raise
        return [await _by_its_tests(candidate, refused, context)]


async def _by_its_tests(candidate: Candidate, refused: Rejected, context: MiningContext) -> Built:
    """As any change is measured. When that fails too, the first reason is the one that is told."""
    try:
        other = _as_other(candidate, refused.reason)
        return await fail_to_pass.build(other, context, claims_no_change=is_claimed_by_author(candidate.route))
    except Rejected as too:
        raise Rejected(refused.reason, f"{refused.detail}; by its tests: {too.reason}") from too


def _as_other(candidate: Candidate, reason: str) -> Candidate:
    before = candidate.route
    why = f"no {before.kind}: {reason}; routed {before.kind} at first: {before.why}"
    return candidate.model_copy(update={"route": Route(kind="other", confidence=before.confidence, why=why)})
