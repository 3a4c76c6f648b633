"""The repair loop: try a plan, read what went wrong, mend it by rule or by a model's advice, try the next plan.

A plan is good when at least one test of the base passes and the framework's report is whole. Where many fail, the plans
and mends that are left are tried as well, and the one under which most pass is taken. A network that is down
is nobody's fault: then plans that need none are tried, and if none is good the fault itself is raised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crucible.domains.code.suite import Report, find_runner, run_suite
from crucible.errors import RecipeError, SandboxError
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.swe.recipes.advice import Adviser
from pipelines.swe.recipes.diagnosis import Diagnosis, diagnose
from pipelines.swe.recipes.mends import mend
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.settings import RepairSettings

if TYPE_CHECKING:
    from pipelines.swe.environment.site import Site

STOPPED = "stopped: timeout"
MOST_FAIL = 0.3
"""A suite of which more fail is not believed to be as its authors see it."""


class Tried(Record):
    """What came of one plan."""

    plan: Plan
    built: bool = False
    report: Report = Report()
    diagnosis: Diagnosis = Diagnosis()
    slow: bool = False
    """Only the tests that the change touches were run: all of them take too long."""


class Outcome(Record):
    """What the loop found out."""

    plan: Plan | None = None
    rounds: int = 0
    slow: bool = False
    start: str = ""
    """The commit that the image must hold, where the anchor was too old for it."""
    reason: str = ""
    """Why there is no environment; empty when there is one."""
    detail: str = ""


def passes(tried: Tried) -> bool:
    """Whether a test passed, and the framework finished."""
    report = tried.report
    return report.complete and any(report.passed(test) for test in report.outcomes)


def passed(tried: Tried) -> int:
    """How many tests pass."""
    return sum(tried.report.passed(test) for test in tried.report.outcomes)


def is_well(tried: Tried) -> bool:
    """Whether nothing better has to be looked for."""
    failed = sum(state == "failed" for state in tried.report.outcomes.values())
    return passes(tried) and failed <= MOST_FAIL * (failed + passed(tried))


async def attempt(plan: Plan, site: Site, context: MiningContext) -> Tried:
    """Build the plan's image and run the base's tests once; where all of them take too long, those touched."""
    env = site.env(plan)
    try:
        await context.world.prepare(env)
    except RecipeError as failed:
        found = diagnose(failed.log or str(failed), str(failed))
        if found.kind == "network":
            raise SandboxError(f"the network failed while an image was built: {found.line}") from failed
        return Tried(plan=plan, diagnosis=found)
    report = await _run(plan, site, context, ())
    slow = False
    if STOPPED in report.why and site.tests:
        runner = find_runner(plan.suite.runner)
        if touched := tuple(runner.paths(site.tests)):
            report, slow = await _run(plan, site, context, touched), True
    tried = Tried(plan=plan, built=True, report=report, slow=slow)
    return tried if is_well(tried) else tried.model_copy(update={"diagnosis": diagnose(report.log, report.why)})


async def _run(plan: Plan, site: Site, context: MiningContext, paths: tuple[str, ...]) -> Report:
    runner = find_runner(plan.suite.runner)
    async with context.world.open(site.env(plan)) as box:
        return await run_suite(box, runner, plan.suite, paths)


async def mended(site: Site, context: MiningContext) -> Outcome:
    """Go on until a plan is good, nothing is left to try, or the rounds are used up."""
    waiting = _ordered(site, context)
    adviser = Adviser(context)
    outage: SandboxError | None = None
    tried: list[Tried] = []
    plan: Plan | None = waiting.pop(0)
    while plan is not None and len(tried) <= context.section(RepairSettings).rounds:
        try:
            last = await attempt(plan, site, context)
        except SandboxError as down:
            outage = outage or down
            plan = next((plan for plan in waiting if plan.offline), None)
            waiting = waiting[waiting.index(plan) + 1 :] if plan else []
            continue
        tried.append(last)
        if is_well(last):
            break
        if last.diagnosis.kind == "elsewhere":
            context.memory.remember(_reach(site), last.diagnosis.name)
        plan = mend(plan, last.diagnosis, [one.plan for one in tried])
        if plan is None:
            plan = await adviser.mend(last.plan, last.diagnosis) or _next(waiting, last.diagnosis)
    if good := [one for one in tried if passes(one)]:
        best = max(good, key=passed)
        return Outcome(plan=best.plan, rounds=tried.index(best), slow=best.slow)
    if outage is not None:
        raise outage
    if lost := next((one.diagnosis.line for one in tried if one.diagnosis.kind == "elsewhere"), ""):
        raise SandboxError(f"what a recipe needs is out of reach: {lost}")
    return _failed(tried)


def _reach(site: Site) -> str:
    """Under which name is remembered that something of this repository's is out of reach."""
    return f"{site.key.rpartition(':')[0]}:reach"


def _ordered(site: Site, context: MiningContext) -> list[Plan]:
    """As they were proposed; where something was out of reach for a neighbour, those first that do without it."""
    lost = context.memory.recall(_reach(site)) is not None
    return sorted(site.plans, key=lambda plan: lost and not plan.sparing)


def _next(waiting: list[Plan], last: Diagnosis) -> Plan | None:
    """The plan to try now. Where something is out of reach, those that want it too are passed over."""
    while waiting:
        plan = waiting.pop(0)
        if plan.sparing or last.kind != "elsewhere" or not any(other.sparing for other in waiting):
            return plan
    return None


def _failed(tried: list[Tried]) -> Outcome:
    """The best that was reached: tests that do not run say more than an image that does not build."""
    best = next((one for one in tried if one.built), tried[0])
    reason = "tests_do_not_run" if best.built else "recipe_failed"
    return Outcome(plan=best.plan, rounds=len(tried) - 1, reason=reason, detail=best.diagnosis.line)
