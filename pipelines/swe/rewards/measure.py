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
from pipelines.swe.rewards.classify import Runs, Split, altered, classify, require_complete, require_reward

Kind = Literal["base", "tested", "golden"]


async def measure(
    candidate: Candidate, tests: Overlay, context: MiningContext, worth: Callable[[Split], None] = require_reward
) -> Runs:
    """All runs. The first round decides whether the others are worth their time."""
    changed = rewritten_names(candidate.pull.test_patch, {**tests.tests, **tests.inline})
    code = frozenset(change.path for change in changes(candidate.pull.patch))
    runs = Runs()
    await context.world.prepare(candidate.env, boxes=3 * context.repeats)
    for _ in range(context.repeats):
        runs = Runs(
            base=(*runs.base, await run("base", candidate, tests, context)),
            tested=(*runs.tested, await run("tested", candidate, tests, context)),
            golden=(*runs.golden, await run("golden", candidate, tests, context)),
            rewritten=changed,
            code=code - tests.tests.keys(),
        )
        require_complete(runs)
        if len(runs.golden) == 1:
            runs = await _looked_at_again(runs, candidate, tests, context)
        worth(classify(runs))
    return runs


async def _looked_at_again(runs: Runs, candidate: Candidate, tests: Overlay, context: MiningContext) -> Runs:
    """After the first round, another look where the change seems to break something, and where a test that passed
    seems to wait for it: what fails but once comes and goes."""
    split = classify(runs)
    if split.broken:
        runs = runs.model_copy(update={"golden": (*runs.golden, await run("golden", candidate, tests, context))})
        require_complete(runs)
    if context.repeats == 1 and altered(runs, split):
        runs = runs.model_copy(update={"tested": (*runs.tested, await run("tested", candidate, tests, context))})
    return runs


async def run(kind: Kind, candidate: Candidate, tests: Overlay, context: MiningContext) -> Report:
    """One run of the whole suite in a fresh box."""
    async with context.world.open(candidate.env) as box:
        if kind == "golden":
            await apply(box, candidate.pull.patch)
        if kind != "base":
            await lay_over(box, tests)
        return await suite_in(box, candidate)


async def suite_in(box: Sandbox, candidate: Candidate) -> Report:
    """The candidate's whole suite over whatever the box holds."""
    runner = find_runner(candidate.suite.runner)
    return await run_suite(box, runner, candidate.suite)


async def lay_over(box: Sandbox, tests: Overlay) -> None:
    """Put the change's test files in place."""
    await clear_paths(box, tests.deleted)
    await lay_files(box, tests.tests, tests.data)
    await lay_inline(box, tests.inline)


async def apply(box: Sandbox, patch: str) -> None:
    """Apply the golden patch."""
    if not patch.strip():
        return
    done = await apply_patch(box, patch.encode())
    if not done.ok:
        raise Rejected("golden_does_not_apply", done.err.strip()[-300:])
