"""The route stage: every router is asked, the surest one wins, and a tie is decided in the open."""

from __future__ import annotations

from collections.abc import Sequence

from crucible import parts
from crucible.errors import Rejected
from crucible.mining import Raw, Route, Workshop
from pipelines.swe.model import Candidate, PullRequest
from pipelines.swe.routers import weighed

REWARDED = frozenset({"bugfix", "feature", "performance", "refactoring"})
"""The routes that have a reward of their own. Tests to be written are made from fixes, by a transform."""


async def route(pull: PullRequest, shop: Workshop) -> Sequence[Candidate]:
    """The pull request with the route it takes."""
    chosen = choose(pull)
    if chosen.confidence < (least := weighed().least):
        raise Rejected("route_unsure", f"{chosen.kind} {chosen.confidence:.2f} is below {least}: {chosen.why}")
    if chosen.kind not in REWARDED:
        raise Rejected("no_reward_for_route", f"{chosen.kind}: {chosen.why}")
    return [Candidate(pull=pull, route=chosen)]


def choose(item: Raw) -> Route:
    """The surest route. Equal ones are decided by name, and the record says so."""
    answers: list[Route | None] = [part.make(item) for part in parts.every("router")]
    routes = sorted((answer for answer in answers if answer), key=lambda answer: (-answer.confidence, answer.kind))
    if not routes:
        raise Rejected("no_route", "no router knows what this is")
    first, *others = routes
    return first.model_copy(update={"why": first.why + _over(first, others)})


def _over(first: Route, others: Sequence[Route]) -> str:
    if not others:
        return ""
    listed = ", ".join(f"{other.kind} {other.confidence:.2f} ({other.why})" for other in others)
    tied = "tied, first by name" if others[0].confidence == first.confidence else "surer"
    return f"; {tied} over {listed}"
