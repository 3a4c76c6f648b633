"""The reward stage: what the route asks for is measured by execution, and becomes a draft task.

A change that is not what it was taken for (no faster, no better arranged, not only tests) may still be measured by its
tests: then it goes on as `other`, and the second look may find out more.
"""

from __future__ import annotations

from collections.abc import Sequence

from crucible.errors import Rejected
from crucible.mining import MiningContext, Route
from pipelines.swe.model import Built, Candidate
from pipelines.swe.rewards import BUILDERS, fail_to_pass
from pipelines.swe.routes.routers import is_claimed_by_author

ROUTE_REFUTED = frozenset({"not_covered", "not_timed", "no_speedup", "no_structural_goal", "no_pass_to_pass"})
"""Reasons that speak against the route alone: the change may still be worth a task of another kind."""


async def build_reward(candidate: Candidate, context: MiningContext) -> Sequence[Built]:
    """The candidate with a draft task, built as its route asks; where the change refutes that, by its tests."""
    route = candidate.route
    if route.kind == "test":
        other = _reroute_as_other(candidate, "source is changed as well")
        return [await fail_to_pass.build_task(other, context, claims_no_change=is_claimed_by_author(route))]
    build_task = BUILDERS.get(route.kind, fail_to_pass.build_task)
    try:
        return [await build_task(candidate, context)]
    except Rejected as refused:
        if build_task is fail_to_pass.build_task or refused.reason not in ROUTE_REFUTED:
            raise
        return [await _build_by_tests(candidate, refused, context)]


async def _build_by_tests(candidate: Candidate, refused: Rejected, context: MiningContext) -> Built:
    """The task of a change that is not what its route says, measured by its tests. When that fails too, the first
    reason is the one that counts.

    An author who speaks of speed has not said that nothing else is different. Since the statement says little of what
    is, what the tests expect is told."""
    is_claimed = is_claimed_by_author(candidate.route)
    is_optimisation = candidate.route.kind == "performance"
    try:
        other = _reroute_as_other(candidate, refused.reason)
        built = await fail_to_pass.build_task(other, context, claims_no_change=is_claimed and not is_optimisation)
    except Rejected as too:
        raise Rejected(refused.reason, f"{refused.detail}; by its tests: {too.reason}") from too
    return built.model_copy(update={"tells_expected": is_claimed and is_optimisation})


def _reroute_as_other(candidate: Candidate, reason: str) -> Candidate:
    """The candidate with the route `other`, which says what it was taken for at first."""
    before = candidate.route
    why = f"no {before.kind}: {reason}; routed {before.kind} at first: {before.why}"
    return candidate.model_copy(update={"route": Route(kind="other", confidence=before.confidence, why=why)})
