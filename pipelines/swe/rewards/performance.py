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
from crucible.domains.code.timing import FailedWork, is_faster, time_in_turns
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Reference
from crucible.sandbox import Sandbox
from pipelines.swe.instructions import write_instruction
from pipelines.swe.model import Built, Candidate, Overlay, Statement
from pipelines.swe.rewards.classify import classify, require_nothing_broken
from pipelines.swe.rewards.drafting import make_check, make_draft, make_suite_check
from pipelines.swe.rewards.measure import apply_or_reject, lay_tests, measure_runs
from pipelines.swe.rewards.overlay import overlay_of
from pipelines.swe.rewards.timed_tests import TimedTests, choose_timed_tests


async def build_task(candidate: Candidate, context: MiningContext) -> Built:
    """The draft task, when the change is faster beyond doubt."""
    pull = candidate.pull
    tests = await asyncio.to_thread(overlay_of, pull)
    split = classify(await measure_runs(candidate, tests, context, require_nothing_broken))
    require_nothing_broken(split)
    timed = choose_timed_tests(candidate, tests, split)
    if timed is None:
        raise Rejected("not_covered", "no test of the change passes before and after, so nothing can be timed")
    params = SpeedParams(
        suite=timed.suite,
        golden=pull.patch,
        tests=tests.tests,
        data=tests.data,
        deleted=tests.deleted,
        command=timed.command,
        build_tests=timed.build_tests,
    )
    await _require_coverage(candidate, tests, timed, context)
    await _require_speedup(candidate, tests, params, context)
    checks = (make_suite_check(candidate, tests, split), make_check("speed", params))
    return Built(
        candidate=candidate,
        task=make_draft(candidate, write_instruction(candidate, pull.statement), checks, Reference(patch=pull.patch)),
        tests=tests,
        fail_to_pass=split.fail_to_pass,
        statement=Statement(before=pull.statement),
    )


async def _require_coverage(candidate: Candidate, tests: Overlay, timed: TimedTests, context: MiningContext) -> None:
    """Reject when what is timed executes no line of the change, or when that cannot be seen."""
    changed = [change for change in changes(candidate.pull.patch) if change.added]
    added = {change.path: [line for line, _ in change.added] for change in changed}
    if not can_trace(timed.suite, added):
        raise Rejected("not_covered", "which lines are executed cannot be seen in this language")
    runner = find_runner(timed.suite.runner)
    async with context.world.open(candidate.env) as box:
        await lay_tests(box, tests)
        await apply_or_reject(box, candidate.pull.patch)
        _, seen = await run_traced(box, runner, timed.suite, added, timed.paths)
    if not executed_lines(seen or {}, added):
        raise Rejected("not_covered", "what is timed executes no line of the change")


async def _require_speedup(candidate: Candidate, tests: Overlay, params: SpeedParams, context: MiningContext) -> None:
    """Reject when the change is not faster than its base, measured in turns, each time in a box of its own."""
    async with (
        context.world.open(candidate.env, phase="grading") as base,
        context.world.open(candidate.env, phase="grading") as golden,
    ):
        await apply_or_reject(golden, params.golden)
        for box in (base, golden):
            await _build(box, params.suite.build, params.suite.timeout)
            await lay_tests(box, tests)
            await _build(box, params.build_tests, params.suite.timeout)
        trees = {"base": base, "golden": golden}
        spent = await time_in_turns(trees, params.command, rounds=params.rounds, timeout=params.suite.timeout)
    if isinstance(spent, FailedWork):
        raise Rejected("not_timed", f"{spent.tree}: {spent.why}")
    if not is_faster(spent["base"], spent["golden"]):
        raise Rejected("no_speedup", f"before {sorted(spent['base'])}, after {sorted(spent['golden'])}")


async def _build(box: Sandbox, command: str, timeout: float) -> None:
    """Reject when what is built first, if anything is, cannot be built."""
    if command and not (built := await box.exec(command, timeout=timeout)).ok:
        raise Rejected("not_timed", f"the build ended with code {built.code}")
