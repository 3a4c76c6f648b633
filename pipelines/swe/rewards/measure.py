"""Three kinds of runs in fresh boxes, each repeated: the base, the base with tests, and both with the change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from crucible import parts
from crucible.errors import Rejected
from crucible.laying import apply_patch, clear, lay_files, lay_inline
from crucible.mining import Workshop
from crucible.sandbox import Sandbox
from crucible.suites import Report, run_suite
from pipelines.swe.model import Candidate, Overlay
from pipelines.swe.patches import changes, rewritten
from pipelines.swe.rewards.classify import Runs, Split, altered, classify, require_complete, require_reward

Kind = Literal["base", "tested", "golden"]


async def measure(
    candidate: Candidate, tests: Overlay, shop: Workshop, worth: Callable[[Split], None] = require_reward
) -> Runs:
    """All runs. The first round decides whether the others are worth their time."""
    changed = rewritten(candidate.pull.test_patch, {**tests.tests, **tests.inline})
    code = frozenset(change.path for change in changes(candidate.pull.patch))
    runs = Runs()
    await shop.world.prepare(candidate.env, boxes=3 * shop.repeats)
    for _ in range(shop.repeats):
        runs = Runs(
            base=(*runs.base, await run("base", candidate, tests, shop)),
            tested=(*runs.tested, await run("tested", candidate, tests, shop)),
            golden=(*runs.golden, await run("golden", candidate, tests, shop)),
            rewritten=changed,
            code=code - tests.tests.keys(),
        )
        require_complete(runs)
        if len(runs.golden) == 1:
            runs = await _looked_at_again(runs, candidate, tests, shop)
        worth(classify(runs))
    return runs


async def _looked_at_again(runs: Runs, candidate: Candidate, tests: Overlay, shop: Workshop) -> Runs:
    """After the first round, another look where the change seems to break something, and where a test that passed
    seems to wait for it: what fails but once comes and goes."""
    split = classify(runs)
    if split.broken:
        runs = runs.model_copy(update={"golden": (*runs.golden, await run("golden", candidate, tests, shop))})
        require_complete(runs)
    if shop.repeats == 1 and altered(runs, split):
        runs = runs.model_copy(update={"tested": (*runs.tested, await run("tested", candidate, tests, shop))})
    return runs


async def run(kind: Kind, candidate: Candidate, tests: Overlay, shop: Workshop) -> Report:
    """One run of the whole suite in a fresh box."""
    async with shop.world.open(candidate.env) as box:
        if kind == "golden":
            await apply(box, candidate.pull.patch)
        if kind != "base":
            await lay_over(box, tests)
        return await suite_in(box, candidate)


async def suite_in(box: Sandbox, candidate: Candidate) -> Report:
    """The candidate's whole suite over whatever the box holds."""
    runner = parts.find("runner", candidate.suite.runner).make()
    return await run_suite(box, runner, candidate.suite)


async def lay_over(box: Sandbox, tests: Overlay) -> None:
    """Put the change's test files in place."""
    await clear(box, tests.deleted)
    await lay_files(box, tests.tests, tests.data)
    await lay_inline(box, tests.inline)


async def apply(box: Sandbox, patch: str) -> None:
    """Apply the golden patch."""
    if not patch.strip():
        return
    done = await apply_patch(box, patch.encode())
    if not done.ok:
        raise Rejected("golden_does_not_apply", done.err.strip()[-300:])
