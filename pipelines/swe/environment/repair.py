"""The repair loop: try a plan, read what went wrong, mend it by rule or by a model's advice, try the next plan.

A plan is good when at least one test of the base passes and the framework's report is whole. Where many fail, the plans
and mends that are left are tried as well, and the one under which most pass is taken; what its skipped tests lack is
installed last. A network that is down is nobody's fault: then plans that need none are tried, and if none is good the
fault itself is raised.
"""

from __future__ import annotations

import asyncio

from crucible.errors import SandboxError
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.swe.environment.build_inputs import BuildInputs
from pipelines.swe.environment.skipped_tests import install_for_skipped
from pipelines.swe.environment.trying import TriedPlan, try_plan
from pipelines.swe.recipes.advice import Adviser
from pipelines.swe.recipes.diagnosis import Diagnosis
from pipelines.swe.recipes.mends import mend_plan
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.settings import RepairSettings


class Outcome(Record):
    """What the loop found out about a repository; it is remembered for the neighbours."""

    plan: Plan | None = None
    rounds: int = 0
    slow: bool = False
    start: str = ""
    """The commit that the image must hold, where the anchor was too old for it."""
    reason: str = ""
    """Why there is no environment; empty when there is one."""
    detail: str = ""


async def find_working_plan(inputs: BuildInputs, context: MiningContext) -> Outcome:
    """Try and mend plans until one is good, nothing is left to try, or the rounds are used up."""
    waiting = await asyncio.to_thread(_order_plans, inputs, context)
    adviser = Adviser(context)
    outage: SandboxError | None = None
    tried: list[TriedPlan] = []
    plan: Plan | None = waiting.pop(0)
    while plan is not None and len(tried) <= context.section(RepairSettings).rounds:
        try:
            last = await try_plan(plan, inputs, context)
        except SandboxError as down:
            outage = outage or down
            plan = next((plan for plan in waiting if plan.offline), None)
            waiting = waiting[waiting.index(plan) + 1 :] if plan else []
            continue
        tried.append(last)
        if last.is_good_enough:
            break
        if last.diagnosis.kind == "elsewhere":
            context.memory.remember(_unreachable_key(inputs), last.diagnosis.name)
        plan = mend_plan(plan, last.diagnosis, [earlier.plan for earlier in tried])
        if plan is None:
            plan = await adviser.mend(last.plan, last.diagnosis) or _next_plan(waiting, last.diagnosis)
    if any(candidate.runs_tests for candidate in tried):
        best = _best_of(tried)
        filled = await install_for_skipped(best, inputs, context)
        return Outcome(plan=filled.plan, rounds=tried.index(best) + (filled is not best), slow=filled.slow)
    if outage is not None:
        raise outage
    return _failure(tried)


def _unreachable_key(inputs: BuildInputs) -> str:
    """Under which name is remembered that something which this repository needs is out of reach."""
    return f"{inputs.key.rpartition(':')[0]}:reach"


def _order_plans(inputs: BuildInputs, context: MiningContext) -> list[Plan]:
    """The plans as they were proposed; where something was out of reach for a neighbour, those first that do without
    it."""
    is_unreachable = context.memory.recall(_unreachable_key(inputs)) is not None
    return sorted(inputs.plans, key=lambda plan: is_unreachable and not plan.sparing)


def _next_plan(waiting: list[Plan], last: Diagnosis) -> Plan | None:
    """The plan to try now. Where something is out of reach, those that want it too are passed over."""
    while waiting:
        plan = waiting.pop(0)
        if plan.sparing or last.kind != "elsewhere" or not any(other.sparing for other in waiting):
            return plan
    return None


def _best_of(tried: list[TriedPlan]) -> TriedPlan:
    """The plan under which most tests pass, the earliest of those that are equal."""
    return max((candidate for candidate in tried if candidate.runs_tests), key=lambda candidate: candidate.passing)


def _failure(tried: list[TriedPlan]) -> Outcome:
    """The best that was reached: tests that do not run say more than an image that does not build. What is out of reach
    is the machine's fault, and raised."""
    unreachable = (candidate.diagnosis for candidate in tried if candidate.diagnosis.kind == "elsewhere")
    if diagnosis := next(unreachable, None):
        raise SandboxError(f"what a recipe needs is out of reach: {diagnosis.line}")
    best = next((candidate for candidate in tried if candidate.built), tried[0])
    reason = "tests_do_not_run" if best.built else "recipe_failed"
    return Outcome(plan=best.plan, rounds=len(tried) - 1, reason=reason, detail=best.diagnosis.line)
