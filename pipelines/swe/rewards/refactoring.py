"""Refactorings: everything that passed still passes, and the code is arranged as the change arranged it."""

from __future__ import annotations

import asyncio

from crucible.domains.code.check_params import Fact, StructureParams
from crucible.domains.code.patches import changes
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Reference
from crucible.sandbox import Sandbox
from pipelines.swe.instructions import told
from pipelines.swe.model import Built, Candidate, Statement
from pipelines.swe.paths import sort_of
from pipelines.swe.rewards.classify import classify, require_kept
from pipelines.swe.rewards.drafting import check, draft, suite_check
from pipelines.swe.rewards.measure import apply, measure
from pipelines.swe.rewards.overlay import overlay
from pipelines.swe.rewards.structural_goals import goals


async def build(candidate: Candidate, context: MiningContext) -> Built:
    """The draft task, when the change has a structural goal and breaks nothing."""
    facts = await _facts(candidate, context)
    tests = await asyncio.to_thread(overlay, candidate.pull)
    split = classify(await measure(candidate, tests, context, require_kept))
    require_kept(split)
    checks = (check("structure", StructureParams(facts=facts)), suite_check(candidate, tests, split))
    statement = candidate.pull.statement
    goal = "\n".join(f"- {fact.sentence}" for fact in facts)
    return Built(
        candidate=candidate,
        task=draft(candidate, told(candidate, statement, goals=goal), checks, Reference(patch=candidate.pull.patch)),
        tests=tests,
        fail_to_pass=split.fail_to_pass,
        statement=Statement(before=statement),
    )


async def _facts(candidate: Candidate, context: MiningContext) -> tuple[Fact, ...]:
    paths = [change.path for change in changes(candidate.pull.patch) if sort_of(change.path) == "source"]
    async with context.world.open(candidate.env) as box:
        before = {path: await _text(box, path) for path in paths}
        await apply(box, candidate.pull.patch)
        after = {path: await _text(box, path) for path in paths}
    facts = goals(before, after)
    if not facts:
        raise Rejected("no_structural_goal", "no file, name or size is different in a way that can be asked for")
    return facts


async def _text(box: Sandbox, path: str) -> str | None:
    try:
        return (await box.read(path)).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
