"""Performance: everything that passed still passes, and what the change made faster is faster by a good part of that.

What is timed are tests that pass before and after and that execute lines of the change; where that cannot be seen
(only Python's pytest is watched so far) there is no task.
"""

from __future__ import annotations

import asyncio
import shlex

from crucible import parts
from crucible.errors import Rejected
from crucible.mining import Workshop
from crucible.model import Reference
from crucible.rewards import SpeedParams
from crucible.timing import Failed, is_faster, keep_tree, take_turns
from crucible.traced import can_trace, run_traced, touches
from pipelines.swe.classify import Split, classify, require_kept
from pipelines.swe.instructions import told
from pipelines.swe.model import Built, Candidate, Overlay, Statement
from pipelines.swe.overlay import overlay
from pipelines.swe.patches import changes
from pipelines.swe.rewards.drafting import check, draft, suite_check
from pipelines.swe.rewards.measure import apply, lay_over, measure

MOST = 100
"""Tests that are timed."""


async def build(candidate: Candidate, shop: Workshop) -> Built:
    """The draft task, when the change is faster beyond doubt."""
    pull = candidate.pull
    tests = await asyncio.to_thread(overlay, pull)
    split = classify(await measure(candidate, tests, shop, require_kept))
    require_kept(split)
    params = SpeedParams(
        suite=candidate.suite,
        golden=pull.patch,
        tests=tests.tests,
        data=tests.data,
        deleted=tests.deleted,
        command=_command(candidate, tests, split),
    )
    await _require_cover(candidate, tests, params, shop)
    await _require_gain(candidate, tests, params, shop)
    checks = (suite_check(candidate, tests, split), check("speed", params))
    return Built(
        candidate=candidate,
        task=draft(candidate, told(candidate, pull.statement), checks, Reference(patch=pull.patch)),
        tests=tests,
        fail_to_pass=split.fail_to_pass,
        statement=Statement(before=pull.statement),
    )


def _command(candidate: Candidate, tests: Overlay, split: Split) -> str:
    """Tests of the change's own files that pass before and after."""
    timed = [test for test in split.pass_to_pass if test.partition("::")[0] in tests.tests][:MOST]
    if not timed or candidate.suite.runner != "pytest":
        raise Rejected("not_covered", "no test of the change passes before and after, so nothing can be timed")
    return f"{candidate.suite.command} -q -p no:cacheprovider {shlex.join(timed)}"


async def _require_cover(candidate: Candidate, tests: Overlay, params: SpeedParams, shop: Workshop) -> None:
    added = {c.path: [line for line, _ in c.added] for c in changes(params.golden) if c.added}
    if not can_trace(candidate.suite, added):
        raise Rejected("not_covered", "which lines are executed cannot be seen in this language")
    runner = parts.find("runner", candidate.suite.runner).make()
    files = sorted({word.partition("::")[0] for word in shlex.split(params.command) if "::" in word})
    async with shop.world.open(candidate.env) as box:
        await lay_over(box, tests)
        await apply(box, params.golden)
        _, seen = await run_traced(box, runner, candidate.suite, added, files)
    if not touches(seen or {}, added):
        raise Rejected("not_covered", "what is timed executes no line of the change")


async def _require_gain(candidate: Candidate, tests: Overlay, params: SpeedParams, shop: Workshop) -> None:
    async with shop.world.open(candidate.env) as box:
        await lay_over(box, tests)
        base = await keep_tree(box)
        await apply(box, params.golden)
        trees = {"base": base, "golden": await keep_tree(box)}
        spent = await take_turns(
            box,
            trees,
            params.command,
            build=candidate.suite.build,
            rounds=params.rounds,
            timeout=candidate.suite.timeout,
        )
    if isinstance(spent, Failed):
        raise Rejected("not_timed", f"{spent.tree}: {spent.why}")
    if not is_faster(spent["base"], spent["golden"]):
        raise Rejected("no_speedup", f"before {sorted(spent['base'])}, after {sorted(spent['golden'])}")
