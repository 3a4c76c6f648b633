"""One try of a plan: its image is built, and the base's tests run in it once."""

from __future__ import annotations

from crucible.domains.code.suite import Report, find_runner, run_suite
from crucible.errors import RecipeError, SandboxError
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.swe.environment.build_inputs import BuildInputs
from pipelines.swe.recipes.diagnosis import Diagnosis, diagnose
from pipelines.swe.recipes.plan import Plan

TIMED_OUT = "stopped: timeout"
"""How a report says that the suite took too long."""
MOST_FAILING = 0.3
"""A suite of which a greater share fails is not believed to be as its authors see it."""


class TriedPlan(Record):
    """A plan, and what came of it."""

    plan: Plan
    built: bool = False
    report: Report = Report()
    diagnosis: Diagnosis = Diagnosis()
    slow: bool = False
    """Only the tests that the change touches were run: all of them take too long."""

    @property
    def passing(self) -> int:
        """How many tests pass."""
        return sum(self.report.passed(test) for test in self.report.outcomes)

    @property
    def runs_tests(self) -> bool:
        """Whether a test passed, and the framework finished."""
        return self.report.complete and self.passing > 0

    @property
    def is_good_enough(self) -> bool:
        """Whether tests run and so few of them fail that no better plan has to be looked for."""
        failing = sum(state == "failed" for state in self.report.outcomes.values())
        return self.runs_tests and failing <= MOST_FAILING * (failing + self.passing)


async def try_plan(plan: Plan, inputs: BuildInputs, context: MiningContext) -> TriedPlan:
    """Build the plan's image and run the base's tests once; where all of them take too long, those touched."""
    try:
        await context.world.prepare(inputs.env(plan))
    except RecipeError as failed:
        diagnosis = diagnose(failed.log or str(failed), str(failed))
        if diagnosis.kind == "network":
            raise SandboxError(f"the network failed while an image was built: {diagnosis.line}") from failed
        return TriedPlan(plan=plan, diagnosis=diagnosis)
    report = await _run_tests(plan, inputs, context, ())
    slow = False
    if TIMED_OUT in report.why and inputs.tests:
        runner = find_runner(plan.suite.runner)
        if touched := tuple(runner.paths(inputs.tests)):
            report, slow = await _run_tests(plan, inputs, context, touched), True
    tried = TriedPlan(plan=plan, built=True, report=report, slow=slow)
    if tried.is_good_enough:
        return tried
    return tried.model_copy(update={"diagnosis": diagnose(report.log, report.why)})


async def _run_tests(plan: Plan, inputs: BuildInputs, context: MiningContext, paths: tuple[str, ...]) -> Report:
    runner = find_runner(plan.suite.runner)
    async with context.world.open(inputs.env(plan)) as box:
        return await run_suite(box, runner, plan.suite, paths)
