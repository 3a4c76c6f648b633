"""Bug fixes and features: tests that fail until the change, and tests that must keep passing."""

from __future__ import annotations

import asyncio

from crucible.mining import MiningContext
from crucible.model import Reference
from pipelines.swe.instructions import write_instruction
from pipelines.swe.model import Built, Candidate, Statement
from pipelines.swe.rewards.classify import classify, require_no_altered_tests, require_reward
from pipelines.swe.rewards.drafting import make_draft, make_suite_check
from pipelines.swe.rewards.measure import measure_runs
from pipelines.swe.rewards.overlay import overlay_of
from pipelines.swe.rewards.second_look import reconsider_route


async def build_task(candidate: Candidate, context: MiningContext, *, claims_no_change: bool = False) -> Built:
    """The draft task, when its tests tell the fixed tree from the broken one, again and again. A change that claims to
    leave behaviour as it is (`claims_no_change`) may not alter what tests that passed expect."""
    pull = candidate.pull
    tests = await asyncio.to_thread(overlay_of, pull)
    runs = await measure_runs(candidate, tests, context)
    split = classify(runs)
    require_reward(split)
    if claims_no_change:
        require_no_altered_tests(runs, split)
    route = reconsider_route(candidate.route, pull, tests, runs, split)
    candidate = candidate.model_copy(update={"route": route})
    checks = (make_suite_check(candidate, tests, split),)
    return Built(
        candidate=candidate,
        task=make_draft(candidate, write_instruction(candidate, pull.statement), checks, Reference(patch=pull.patch)),
        tests=tests,
        fail_to_pass=split.fail_to_pass,
        statement=Statement(before=pull.statement),
    )
