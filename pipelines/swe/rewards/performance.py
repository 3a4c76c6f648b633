"""Performance: everything that passed still passes, and what the change made faster is faster by a good part of that.

What is timed are tests that pass before and after and that execute lines of the change; where that cannot be seen
there is no task (`crucible/domains/code/coverage.py` says where it can).
"""

from __future__ import annotations

import asyncio

from crucible.domains.code.check_params import SpeedParams
from crucible.domains.code.coverage import can_trace, executed_lines, run_traced
from crucible.domains.code.patches import changes
from crucible.domains.code.suite import find_runner
from crucible.domains.code.timing import FailedWork, is_faster, keep_tree, time_in_turns
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Reference
from pipelines.swe.instructions import told
from pipelines.swe.model import Built, Candidate, Overlay, Statement
from pipelines.swe.rewards.classify import classify, require_kept
from pipelines.swe.rewards.drafting import check, draft, suite_check
from pipelines.swe.rewards.measure import apply, lay_over, measure
from pipelines.swe.rewards.overlay import overlay
from pipelines.swe.rewards.timed_tests import Timed, timed


async def build(candidate: Candidate, context: MiningContext) -> Built:
    """The draft task, when the change is faster beyond doubt."""
    pull = candidate.pull
    tests = await asyncio.to_thread(overlay, pull)
    split = classify(await measure(candidate, tests, context, require_kept))
    require_kept(split)
    how = timed(candidate, tests, split)
    if how is None:
        raise Rejected("not_covered", "no test of the change passes before and after, so nothing can be timed")
    params = SpeedParams(
        suite=how.suite,
        golden=pull.patch,
        tests=tests.tests,
        data=tests.data,
        deleted=tests.deleted,
        command=how.command,
    )
    await _require_cover(candidate, tests, how, context)
    await _require_gain(candidate, tests, params, context)
    checks = (suite_check(candidate, tests, split), check("speed", params))
    return Built(
        candidate=candidate,
        task=draft(candidate, told(candidate, pull.statement), checks, Reference(patch=pull.patch)),
        tests=tests,
        fail_to_pass=split.fail_to_pass,
        statement=Statement(before=pull.statement),
    )


async def _require_cover(candidate: Candidate, tests: Overlay, how: Timed, context: MiningContext) -> None:
    added = {c.path: [line for line, _ in c.added] for c in changes(candidate.pull.patch) if c.added}
    if not can_trace(how.suite, added):
        raise Rejected("not_covered", "which lines are executed cannot be seen in this language")
    runner = find_runner(how.suite.runner)
    async with context.world.open(candidate.env) as box:
        await lay_over(box, tests)
        await apply(box, candidate.pull.patch)
        _, seen = await run_traced(box, runner, how.suite, added, how.paths)
    if not executed_lines(seen or {}, added):
        raise Rejected("not_covered", "what is timed executes no line of the change")


async def _require_gain(candidate: Candidate, tests: Overlay, params: SpeedParams, context: MiningContext) -> None:
    async with context.world.open(candidate.env) as box:
        await lay_over(box, tests)
        base = await keep_tree(box)
        await apply(box, params.golden)
        trees = {"base": base, "golden": await keep_tree(box)}
        spent = await time_in_turns(
            box,
            trees,
            params.command,
            build=params.suite.build,
            rounds=params.rounds,
            timeout=params.suite.timeout,
        )
    if isinstance(spent, FailedWork):
        raise Rejected("not_timed", f"{spent.tree}: {spent.why}")
    if not is_faster(spent["base"], spent["golden"]):
        raise Rejected("no_speedup", f"before {sorted(spent['base'])}, after {sorted(spent['golden'])}")
