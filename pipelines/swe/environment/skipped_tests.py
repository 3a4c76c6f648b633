"""Tests that are skipped because a module is missing: where the repository declares it, it is installed.

A plan that runs may still not show what its authors see: a test that says "pytz unavailable" has no outcome, and a
change to what it tests would be dropped for it.
"""

from __future__ import annotations

from crucible.domains.code.suite import find_runner, run_suite
from crucible.mining import MiningContext
from pipelines.swe.environment.build_inputs import BuildInputs
from pipelines.swe.environment.trying import TriedPlan, try_plan
from pipelines.swe.recipes.diagnosis import find_missing_words
from pipelines.swe.recipes.mends import find_declared, install_requirements
from pipelines.swe.recipes.python_declarations import name_of_requirement
from pipelines.swe.settings import RepairSettings

LIST_INSTALLED = "/opt/venv/bin/pip list --format=freeze --disable-pip-version-check"


async def install_for_skipped(best: TriedPlan, inputs: BuildInputs, context: MiningContext) -> TriedPlan:
    """The plan with what its skipped tests lack, as long as more tests pass for it; otherwise the plan as it is."""
    asked_for: set[str] = set()
    while requirements := set(await _find_lacking(best, inputs, context)) - asked_for:
        asked_for |= requirements
        better = await _try_with(best, sorted(requirements), inputs, context)
        if better is None:
            break
        best = better  # a module that could not be loaded before may now say what else it lacks
    return best


async def _find_lacking(tried: TriedPlan, inputs: BuildInputs, context: MiningContext) -> list[str]:
    """What the repository declares of that for which tests were skipped, and is not installed. The files of these tests
    are run once more, so that pytest tells why."""
    skipped = [test for test, state in tried.report.outcomes.items() if state == "skipped"]
    if not skipped or tried.plan.suite.runner != "pytest" or not tried.plan.declared:
        return []
    runner = find_runner(tried.plan.suite.runner)
    suite = tried.plan.suite.model_copy(update={"command": f"{tried.plan.suite.command} -rs"})
    async with context.world.open(inputs.env(tried.plan)) as box:
        report = await run_suite(box, runner, suite, runner.paths(skipped))
        listed = await box.exec(LIST_INSTALLED)
    installed = [line.partition("==")[0] for line in listed.out.splitlines()]
    return find_declared(tried.plan, find_missing_words(report.log), installed)


async def _try_with(
    best: TriedPlan, requirements: list[str], inputs: BuildInputs, context: MiningContext
) -> TriedPlan | None:
    """The plan with these packages: all in the versions that are declared, all in any version, each by itself. The
    first under which more tests pass; None where none is."""
    names = [name_of_requirement(requirement) for requirement in requirements]
    ways = [requirements, names, *([name] for name in names)]
    distinct = [way for place, way in enumerate(ways) if way not in ways[:place]]
    for way in distinct[: context.section(RepairSettings).rounds]:
        tried = await try_plan(install_requirements(best.plan, way), inputs, context)
        if tried.runs_tests and tried.passing > best.passing:
            return tried
    return None
