"""How the reward of each route is made by execution: one module per route, each with a `build_task`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from crucible.mining import MiningContext
from pipelines.swe.model import Built, Candidate
from pipelines.swe.rewards import fail_to_pass, performance, refactoring

TaskBuilder = Callable[[Candidate, MiningContext], Awaitable[Built]]

BUILDERS: dict[str, TaskBuilder] = {
    "bugfix": fail_to_pass.build_task,
    "feature": fail_to_pass.build_task,
    "performance": performance.build_task,
    "refactoring": refactoring.build_task,
}
"""By the route's kind."""
