"""Refactorings: everything that passed still passes, and the code is arranged as the change arranged it."""

from __future__ import annotations

import asyncio

from crucible.domains.code.check_params import Fact, StructureParams
from crucible.domains.code.patches import changes
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.use import UseTrial, name_file
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
from pipelines.swe.rewards.structural_goals import Place, find_altered, find_goals

MOST_USED = 3
"""Names whose use is asked for at most: each takes a run of the tests at every grading."""
FAULTS_TRIED = 8
"""Faults that are put into each of them."""
MOST_TRIED = 6
"""Names whose use is looked for."""
MOST_CALLERS = 6
"""Definitions that the change altered and whose tests are told apart: each takes a run of the tests."""


async def build_task(candidate: Candidate, context: MiningContext) -> Built:
    """The draft task, when the change has a structural goal and breaks nothing."""
    facts, altered = await _require_facts(candidate, context)
    tests = await asyncio.to_thread(overlay_of, candidate.pull)
    split = classify(await measure_runs(candidate, tests, context, require_nothing_broken))
    require_nothing_broken(split)
    suite_check = make_suite_check(candidate, tests, split)
    facts = await _require_use(candidate, facts, altered, SuiteParams.model_validate(suite_check.params), context)
    checks = (make_check("structure", StructureParams(facts=facts)), suite_check)
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


async def _require_facts(candidate: Candidate, context: MiningContext) -> tuple[tuple[Fact, ...], list[Place]]:
    """What the change arranged, as facts, and the definitions that it altered. Rejected where there is nothing that
    could be asked for."""
    paths = [change.path for change in changes(candidate.pull.patch) if sort_of(change.path) == "source"]
    async with context.world.open(candidate.env) as box:
        before = {path: await _read_text(box, path) for path in paths}
        await apply_or_reject(box, candidate.pull.patch)
        after = {path: await _read_text(box, path) for path in paths}
    facts = find_goals(before, after)
    if not facts:
        raise Rejected("no_structural_goal", "no file, name or size is different in a way that can be asked for")
    return facts, find_altered(before, after)


async def _require_use(
    candidate: Candidate, facts: tuple[Fact, ...], altered: list[Place], params: SuiteParams, context: MiningContext
) -> tuple[Fact, ...]:
    """The facts, and that the first few new definitions are used. A definition without which no test fails over the
    change itself is not asked for: a stub would do. Rejected where that is true of all that were tried."""
    used: list[Fact] = []
    unused: list[Fact] = []
    noticing: list[frozenset[str]] = []
    async with context.world.open(candidate.env) as box:
        await apply_or_reject(box, candidate.pull.patch)
        trial = UseTrial(box, params)
        for fact in [fact for fact in facts if fact.what == "name"][:MOST_TRIED]:
            if len(used) == MOST_USED:
                break
            use = await trial.see_use(fact.path, fact.name)
            if use.state == "used":
                files = frozenset(map(name_file, use.noticing or (*params.fail_to_pass, *params.pass_to_pass)))
                seen = await trial.find_noticing_files(
                    fact.path, fact.name, candidate.pull.id, FAULTS_TRIED, files, None
                )
                used.append(fact.model_copy(update={"what": "used", "noticed_in": seen.shares}))
                noticing.append(use.noticing or frozenset())
            elif use.state == "unused":
                unused.append(fact)
        callers = await _find_callers(trial, altered, frozenset().union(*noticing))
    if unused and not used:
        raise Rejected("no_structural_goal", "no test uses what the change defines anew")
    called = [
        fact.model_copy(update={"callers": {name: tuple(sorted(own & tests)) for name, own in callers if own & tests}})
        for fact, tests in zip(used, noticing, strict=True)
    ]
    return (*(fact for fact in facts if fact not in unused), *called)


async def _find_callers(
    trial: UseTrial, altered: list[Place], noticing: frozenset[str]
) -> list[tuple[str, frozenset[str]]]:
    """The altered definitions with the tests that fail without each, in files with tests that notice a new one."""
    files = frozenset(map(name_file, noticing))
    return [
        (f"{path}::{name}", await trial.find_noticing_tests(path, name, files))
        for path, name in (altered[:MOST_CALLERS] if files else ())
    ]


async def _read_text(box: Sandbox, path: str) -> str | None:
    """The text of a file in the box; None where it is not there."""
    try:
        return (await box.read(path)).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
