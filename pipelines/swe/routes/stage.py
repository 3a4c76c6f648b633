"""The route stage: every router is asked, the surest one wins, and a tie is decided in the open.

Where nothing sure speaks for a route a model is asked, if one is configured. What stays unknown goes on as `other`: its
tests will tell whether there is a reward, but it is never called a fix.
"""

from __future__ import annotations

from collections.abc import Sequence

from crucible import parts
from crucible.mining import MiningContext, Route
from pipelines.swe.model import Candidate, PullRequest
from pipelines.swe.routes.model_opinion import route_by_model
from pipelines.swe.routes.routers import load_weights

UNKNOWN = Route(kind="other", confidence=0.0, why="no router knows what this is")


async def route(pull: PullRequest, context: MiningContext) -> Sequence[Candidate]:
    """The pull request with the route it takes."""
    chosen = choose_route(pull)
    if chosen.confidence < (least := load_weights().least):
        opinion = await route_by_model(pull, context.adviser) if context.adviser else None
        why = f"{chosen.kind} {chosen.confidence:.2f} is below {least}: {chosen.why}"
        chosen = opinion or Route(kind="other", confidence=chosen.confidence, why=why)
    return [Candidate(pull=pull, route=chosen)]


def choose_route(item: PullRequest) -> Route:
    """The surest route that a router takes. Equal ones are decided by name, and the record says so."""
    answers: list[Route | None] = [part.make(item) for part in parts.every("router") if part.pipeline == "swe"]
    routes = sorted((answer for answer in answers if answer), key=lambda answer: (-answer.confidence, answer.kind))
    if not routes:
        return UNKNOWN
    first, *others = routes
    return first.model_copy(update={"why": first.why + _compared_with(first, others)})


def _compared_with(first: Route, others: Sequence[Route]) -> str:
    """Over which other routes the first was chosen, for its reason."""
    if not others:
        return ""
    listed = ", ".join(f"{other.kind} {other.confidence:.2f} ({other.why})" for other in others)
    tied = "tied, first by name" if others[0].confidence == first.confidence else "surer"
    return f"; {tied} over {listed}"
