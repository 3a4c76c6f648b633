"""Test construction out of a bug fix: the agent writes the tests, and the fix shows whether they are any good."""

from __future__ import annotations

from crucible.domains.code.check_params import NewTestsParams
from crucible.domains.code.coverage import can_trace, executed_lines, run_traced
from crucible.domains.code.patches import changes
from crucible.domains.code.suite import SuiteParams, find_runner
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Reference, Task
from pipelines.swe.instructions import fill_template
from pipelines.swe.model import Built
from pipelines.swe.paths import patterns_of
from pipelines.swe.rewards.drafting import make_check, make_draft
from pipelines.swe.rewards.measure import run_kind
from pipelines.swe.transforms.controls import (
    Wanted,
    find_noticed_mutants,
    find_rewrite,
    read_changed_files,
    rewrite_wrong_code,
)
from pipelines.swe.transforms.faults import open_merged


async def ask_for_tests(built: Built, context: MiningContext) -> Task:
    """The task of writing the tests of a fix."""
    candidate = built.candidate
    if candidate.route.kind != "bugfix":
        raise Rejected("not_invertible", f"{candidate.route.kind}: only a fix describes what tests can find today")
    if not candidate.pull.test_patch.strip() or built.tests.deleted or built.tests.inline or built.tests.data:
        raise Rejected("not_invertible", "the change's tests are not plain additions")
    base = await run_kind("base", candidate, built.tests, context)
    measured = SuiteParams.model_validate(built.task.checks[0].params)
    rewrite, mutants = await _find_controls(built, context)
    wrong = await rewrite_wrong_code(built, context)
    kept = tuple(test for test in measured.pass_to_pass if test in base.outcomes)
    params = NewTestsParams(
        suite=candidate.suite,
        right=candidate.pull.patch,
        wrong=("", *wrong),
        patterns=patterns_of("test"),
        pass_to_pass=kept,
        failing=tuple(sorted(test for test, state in base.outcomes.items() if state == "failed")),
        extended=tuple(sorted(test for test in base.outcomes if base.passed(test) and test not in kept)),
        rewrite=rewrite,
        mutants=mutants,
        changed=await _executed_lines(built, context),
    )
    instruction = fill_template("inversion", candidate).replace("{statement}", built.statement.text)
    task = make_draft(
        candidate, instruction, (make_check("newtests", params),), Reference(patch=candidate.pull.test_patch)
    )
    return task.model_copy(update={"kind": "test"})


async def _find_controls(built: Built, context: MiningContext) -> tuple[str, tuple[str, ...]]:
    """The right code in other words, and faults in it that the change's own tests notice. Rejected where either cannot
    be had: tests that know the fix by its text could not be told from others."""
    async with context.world.open(built.candidate.env) as box:
        before = await read_changed_files(box, built)
    async with open_merged(built, context) as box:
        rewrite = (await find_rewrite(box, built, before)).patch
        mutants = await find_noticed_mutants(
            box, built, Wanted(seed=f"{built.task.id} inversion", by=built.fail_to_pass)
        )
    if not mutants:
        raise Rejected("not_invertible", "no fault in the fixed code is noticed by the change's own tests")
    return rewrite, mutants


async def _executed_lines(built: Built, context: MiningContext) -> dict[str, tuple[int, ...]]:
    """The lines that the fix adds, by path, where its own tests execute some of them; none where that cannot be seen,
    or nothing is added."""
    candidate = built.candidate
    added = {
        change.path: tuple(number for number, _ in change.added)
        for change in changes(candidate.pull.patch)
        if change.added and can_trace(candidate.suite, [change.path])
    }
    if not added:
        return {}
    runner = find_runner(candidate.suite.runner)
    async with open_merged(built, context) as box:
        _, seen = await run_traced(box, runner, candidate.suite, added)
    return added if seen is not None and executed_lines(seen, added) else {}
