"""Three kinds of runs in fresh boxes, each repeated: the base, the base with tests, and both with the change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from crucible.box_patch import apply_patch
from crucible.domains.code.overlay import clear_paths, lay_files, lay_inline
from crucible.domains.code.patches import changes, rewritten_names
from crucible.domains.code.suite import Report, find_runner, run_suite
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.sandbox import Sandbox
from pipelines.swe.model import Candidate, Overlay
from pipelines.swe.rewards.classify import (
    Runs,
    Split,
    altered_tests,
    classify,
    require_complete_runs,
    require_reward,
)

Kind = Literal["base", "tested", "golden"]


async def measure_runs(
    candidate: Candidate, tests: Overlay, context: MiningContext, require: Callable[[Split], None] = require_reward
) -> Runs:
    """Run the suite in all three kinds, as often as the context says. `require` rejects what is not worth going on
    with, after each round."""
    changed = rewritten_names(candidate.pull.test_patch, {**tests.tests, **tests.inline})
    code = frozenset(change.path for change in changes(candidate.pull.patch))
    runs = Runs()
    await context.world.prepare(candidate.env, boxes=3 * context.repeats)
    for _ in range(context.repeats):
        runs = Runs(
            base=(*runs.base, await run_kind("base", candidate, tests, context)),
            tested=(*runs.tested, await run_kind("tested", candidate, tests, context)),
            golden=(*runs.golden, await run_kind("golden", candidate, tests, context)),
            rewritten=changed,
            code=code - tests.tests.keys(),
        )
        require_complete_runs(runs)
        if len(runs.golden) == 1:
            runs = await _repeat_doubtful(runs, candidate, tests, context)
        require(classify(runs))
    return runs


async def _repeat_doubtful(runs: Runs, candidate: Candidate, tests: Overlay, context: MiningContext) -> Runs:
    """The first round with one more run where the change seems to break something, and where a test that passed seems
    to wait for the change: what fails but once comes and goes."""
    split = classify(runs)
    if split.broken:
        runs = runs.model_copy(update={"golden": (*runs.golden, await run_kind("golden", candidate, tests, context))})
        require_complete_runs(runs)
    if context.repeats == 1 and altered_tests(runs, split):
        runs = runs.model_copy(update={"tested": (*runs.tested, await run_kind("tested", candidate, tests, context))})
    return runs


async def run_kind(kind: Kind, candidate: Candidate, tests: Overlay, context: MiningContext) -> Report:
    """One run of the whole suite in a fresh box, with the tests and the change laid over the base as its kind says."""
    async with context.world.open(candidate.env) as box:
        if kind == "golden":
            await apply_or_reject(box, candidate.pull.patch)
        if kind != "base":
            await lay_tests(box, tests)
        return await run_whole_suite(box, candidate)


async def run_whole_suite(box: Sandbox, candidate: Candidate) -> Report:
    """Run the candidate's whole suite over whatever the box holds."""
    runner = find_runner(candidate.suite.runner)
    return await run_suite(box, runner, candidate.suite)


async def lay_tests(box: Sandbox, tests: Overlay) -> None:
    """Put the change's test files in place, and remove those that it deletes."""
    await clear_paths(box, tests.deleted)
    await lay_files(box, tests.tests, tests.data)
    await lay_inline(box, tests.inline)


async def apply_or_reject(box: Sandbox, patch: str) -> None:
    """Apply a patch that must apply, such as the golden one. Rejected when it does not; an empty one does nothing."""
    if not patch.strip():
        return
    done = await apply_patch(box, patch.encode())
    if not done.ok:
        raise Rejected("golden_does_not_apply", done.err.strip()[-300:])
