"""Refactorings: everything that passed still passes, and the code is arranged as the change arranged it."""

from __future__ import annotations

import asyncio

from crucible.domains.code.check_params import Fact, StructureParams
from crucible.domains.code.patches import changes
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Reference
from crucible.sandbox import Sandbox
from pipelines.swe.instructions import write_instruction
from pipelines.swe.model import Built, Candidate, Statement
from pipelines.swe.paths import sort_of
from pipelines.swe.rewards.classify import classify, require_nothing_broken
from pipelines.swe.rewards.drafting import make_check, make_draft, make_suite_check
from pipelines.swe.rewards.measure import apply_or_reject, measure_runs
from pipelines.swe.rewards.overlay import overlay_of
from pipelines.swe.rewards.structural_goals import find_goals


async def build_task(candidate: Candidate, context: MiningContext) -> Built:
    """The draft task, when the change has a structural goal and breaks nothing."""
    facts = await _require_facts(candidate, context)
    tests = await asyncio.to_thread(overlay_of, candidate.pull)
    split = classify(await measure_runs(candidate, tests, context, require_nothing_broken))
    require_nothing_broken(split)
    checks = (make_check("structure", StructureParams(facts=facts)), make_suite_check(candidate, tests, split))
    statement = candidate.pull.statement
    goals = "\n".join(f"- {fact.sentence}" for fact in facts)
    return Built(
        candidate=candidate,
        task=make_draft(
            candidate,
            write_instruction(candidate, statement, goals=goals),
            checks,
            Reference(patch=candidate.pull.patch),
        ),
        tests=tests,
        fail_to_pass=split.fail_to_pass,
        statement=Statement(before=statement),
    )


async def _require_facts(candidate: Candidate, context: MiningContext) -> tuple[Fact, ...]:
    """What the change arranged, as facts. Rejected where there is nothing that could be asked for."""
    paths = [change.path for change in changes(candidate.pull.patch) if sort_of(change.path) == "source"]
    async with context.world.open(candidate.env) as box:
        before = {path: await _read_text(box, path) for path in paths}
        await apply_or_reject(box, candidate.pull.patch)
        after = {path: await _read_text(box, path) for path in paths}
    facts = find_goals(before, after)
    if not facts:
        raise Rejected("no_structural_goal", "no file, name or size is different in a way that can be asked for")
    return facts


async def _read_text(box: Sandbox, path: str) -> str | None:
    """The text of a file in the box; None where it is not there."""
    try:
        return (await box.read(path)).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
