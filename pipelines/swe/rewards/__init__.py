"""How the reward of each route is made by execution: one module per route, each with a `build`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from crucible.mining import MiningContext
from pipelines.swe.model import Built, Candidate
from pipelines.swe.rewards import fail_to_pass, performance, refactoring

Build = Callable[[Candidate, MiningContext], Awaitable[Built]]

BUILDS: dict[str, Build] = {
    "bugfix": fail_to_pass.build,
    "feature": fail_to_pass.build,
    "performance": performance.build,
    "refactoring": refactoring.build,
}
"""By the route's kind."""
