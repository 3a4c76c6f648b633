"""The environment stage: an image in which the base's tests run, found by trying, shared with the neighbours.

The first of a repository's pull requests finds out which plan works and how it must be mended; the others, whose
dependency files are the same, are told. A change that touches these files itself is given what it asks for besides.
What a broken network did to an attempt is never remembered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from crucible.domains.code.suite import Suite, find_runner
from crucible.errors import Rejected
from crucible.mining import MiningContext
from pipelines.swe.environment.site import Site, survey
from pipelines.swe.model import Candidate, PullRequest
from pipelines.swe.recipes.loop import Outcome, attempt, mended, passes
from pipelines.swe.recipes.plan import Plan


async def environment(candidate: Candidate, context: MiningContext) -> Sequence[Candidate]:
    """The candidate with an env whose image exists and whose tests run."""
    pull = candidate.pull
    site = await asyncio.to_thread(survey, pull, context.blobs)
    async with context.memory.alone(site.key):
        outcome = await _known(site, context) or await _found(pull, site, context)
    if outcome.plan is None or outcome.reason:
        raise Rejected(outcome.reason, outcome.detail)
    if outcome.start:
        site = await asyncio.to_thread(survey, pull, context.blobs, outcome.start)
    env = site.env(await _ahead(outcome.plan, site, context))
    await context.world.prepare(env)
    found = {"env": env, "suite": _suite(outcome, site), "repair_rounds": outcome.rounds}
    return [candidate.model_copy(update=found)]


def _suite(outcome: Outcome, site: Site) -> Suite:
    """The whole suite, or of one that takes too long the tests that this change touches."""
    assert outcome.plan is not None
    suite = outcome.plan.suite
    if not outcome.slow:
        return suite
    runner = find_runner(suite.runner)
    return suite.model_copy(update={"paths": tuple(runner.paths(site.tests))})


async def _ahead(plan: Plan, site: Site, context: MiningContext) -> Plan:
    """With what the change itself declares as well; where that cannot be installed, or no test passes then, without."""
    later = site.ahead.over(plan, site.plans) if site.ahead else None
    return later if later and passes(await attempt(later, site, context)) else plan


async def _found(pull: PullRequest, site: Site, context: MiningContext) -> Outcome:
    """What the repair loop finds out. Where nothing helps, the anchor may be too old: its tree may lack what is
    installed from it. Then the base itself is tried, and neighbours will share its image instead."""
    outcome = await mended(site, context)
    if outcome.reason and site.patch:
        later = await asyncio.to_thread(survey, pull, context.blobs, pull.base_commit)
        again = await mended(later, context)
        outcome = again.model_copy(update={"start": later.start}) if not again.reason else outcome
    if not (outcome.reason == "recipe_failed" and outcome.detail.startswith("timeout")):
        context.memory.remember(site.key, outcome.model_dump_json())  # a busy machine is not the repository's nature
    return outcome


async def _known(site: Site, context: MiningContext) -> Outcome | None:
    """What a neighbour found out. Where its tests did not run, this base's are tried once: they are other tests."""
    told = context.memory.recall(site.key)
    if told is None:
        return None
    outcome = Outcome.model_validate_json(told)
    if outcome.reason == "tests_do_not_run" and outcome.plan is not None:
        tried = await attempt(outcome.plan, site, context)
        if passes(tried):
            return outcome.model_copy(update={"reason": "", "detail": ""})
    return outcome
