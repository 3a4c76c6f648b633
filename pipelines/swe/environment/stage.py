"""The environment stage: an image in which the base's tests run, found by trying, shared with the neighbours.

The first of a repository's pull requests finds out which plan works and how it must be mended; for the others, whose
dependency files are the same, it is looked up. A change that touches these files itself gets what it asks for besides.
What a broken network did to an attempt is never remembered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from crucible.domains.code.suite import Suite, find_runner
from crucible.errors import Rejected
from crucible.mining import MiningContext
from pipelines.swe.environment.build_inputs import BuildInputs, gather_build_inputs
from pipelines.swe.environment.repair import Outcome, find_working_plan
from pipelines.swe.environment.trying import try_plan
from pipelines.swe.model import Candidate, PullRequest
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.pytest_paths import is_below


async def prepare_environment(candidate: Candidate, context: MiningContext) -> Sequence[Candidate]:
    """The candidate with an env whose image exists and whose tests run."""
    pull = candidate.pull
    inputs = await asyncio.to_thread(gather_build_inputs, pull, context.blobs)
    async with context.memory.alone(inputs.key):
        outcome = await _recall_outcome(inputs, context) or await _find_outcome(pull, inputs, context)
    if outcome.plan is None or outcome.reason:
        raise Rejected(outcome.reason, outcome.detail)
    if outcome.start:
        inputs = await asyncio.to_thread(gather_build_inputs, pull, context.blobs, outcome.start)
    env = inputs.env(await _add_change_dependencies(outcome.plan, inputs, context))
    await context.world.prepare(env)
    narrow = _touched_tests if outcome.slow else _with_touched_tests
    suite = narrow(outcome.plan.suite, inputs)
    return [candidate.model_copy(update={"env": env, "suite": suite, "repair_rounds": outcome.rounds})]


def _touched_tests(suite: Suite, inputs: BuildInputs) -> Suite:
    """Of a suite that takes too long, the tests that this change touches."""
    runner = find_runner(suite.runner)
    return suite.model_copy(update={"paths": tuple(runner.paths(inputs.tests))})


def _with_touched_tests(suite: Suite, inputs: BuildInputs) -> Suite:
    """The suite, with the test files that this change touches outside of the suite's paths; all there are where such a
    file lies in a folder that is not there yet."""
    outside = [place for place in inputs.test_places if suite.paths and not is_below(place, suite.paths)]
    return suite.model_copy(update={"paths": () if "" in outside else (*suite.paths, *outside)})


async def _add_change_dependencies(plan: Plan, inputs: BuildInputs, context: MiningContext) -> Plan:
    """The plan with what the change itself declares; where that cannot be installed, or no test passes then, the plan
    as it is."""
    dependencies = inputs.change_dependencies
    extended = dependencies.add_to(plan, inputs.plans) if dependencies else None
    if extended is None:
        return plan
    return extended if (await try_plan(extended, inputs, context)).runs_tests else plan


async def _find_outcome(pull: PullRequest, inputs: BuildInputs, context: MiningContext) -> Outcome:
    """What the repair loop finds out, remembered for the neighbours. Where nothing helps, the anchor may be too old:
    its tree may lack what is installed from it. Then the base itself is tried, and neighbours share its image."""
    outcome = await find_working_plan(inputs, context)
    if outcome.reason and inputs.patch:
        at_base = await asyncio.to_thread(gather_build_inputs, pull, context.blobs, pull.base_commit)
        second = await find_working_plan(at_base, context)
        outcome = second.model_copy(update={"start": at_base.start}) if not second.reason else outcome
    if not (outcome.reason == "recipe_failed" and outcome.detail.startswith("timeout")):
        context.memory.remember(inputs.key, outcome.model_dump_json())  # a busy machine is not the repository's nature
    return outcome


async def _recall_outcome(inputs: BuildInputs, context: MiningContext) -> Outcome | None:
    """What a neighbour found out. Where its tests did not run, this base's are tried once: they are other tests."""
    remembered = await asyncio.to_thread(context.memory.recall, inputs.key)
    if remembered is None:
        return None
    outcome = Outcome.model_validate_json(remembered)
    if outcome.reason == "tests_do_not_run" and outcome.plan is not None:
        tried = await try_plan(outcome.plan, inputs, context)
        if tried.runs_tests:
            return outcome.model_copy(update={"reason": "", "detail": ""})
    return outcome
