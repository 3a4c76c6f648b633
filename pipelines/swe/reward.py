"""The reward stage: three kinds of runs in fresh boxes, each repeated, and a draft task from what they show."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from typing import Literal

from crucible import parts
from crucible.errors import Rejected
from crucible.mining import Workshop
from crucible.model import Check, Provenance, Reference, Task
from crucible.sandbox import Sandbox
from crucible.suites import Report, SuiteParams, run_suite
from pipelines.swe.classify import Runs, Split, classify, require_complete, require_reward
from pipelines.swe.instructions import told
from pipelines.swe.model import Built, Candidate, Overlay, Statement
from pipelines.swe.overlay import overlay

Kind = Literal["base", "tested", "golden"]

GOLDEN = "/tmp/golden.patch"


async def reward(candidate: Candidate, shop: Workshop) -> Sequence[Built]:
    """The candidate with a draft task, when its tests tell the fixed tree from the broken one, again and again."""
    tests = await asyncio.to_thread(overlay, candidate.pull)
    runs = await measure(candidate, tests, shop)
    split = classify(runs)
    require_reward(split)
    task = draft(candidate, tests, split)
    statement = Statement(before=candidate.pull.statement)
    return [Built(candidate=candidate, task=task, tests=tests, fail_to_pass=split.fail_to_pass, statement=statement)]


async def measure(candidate: Candidate, tests: Overlay, shop: Workshop) -> Runs:
    """All runs. The first round decides whether the others are worth their time."""
    runs = Runs()
    for turn in range(shop.repeats):
        runs = Runs(
            base=(*runs.base, await _run("base", candidate, tests, shop)),
            tested=(*runs.tested, await _run("tested", candidate, tests, shop)),
            golden=(*runs.golden, await _run("golden", candidate, tests, shop)),
        )
        require_complete(runs)
        if turn == 0:
            require_reward(classify(runs))
    return runs


async def _run(kind: Kind, candidate: Candidate, tests: Overlay, shop: Workshop) -> Report:
    runner = parts.find("runner", candidate.suite.runner).make()
    async with shop.world.open(candidate.env) as box:
        if kind != "base":
            await lay_over(box, tests)
        if kind == "golden":
            await apply(box, candidate.pull.patch)
        return await run_suite(box, runner, candidate.suite)


async def lay_over(box: Sandbox, tests: Overlay) -> None:
    """Put the change's test files in place."""
    for path in tests.deleted:
        await box.exec(f"rm -f -- {shlex.quote(path)}")
    for path, content in tests.tests.items():
        await box.write(path, content.encode())


async def apply(box: Sandbox, patch: str) -> None:
    """Apply the golden patch."""
    await box.write(GOLDEN, patch.encode())
    done = await box.exec(f"git apply --whitespace=nowarn {GOLDEN}")
    if not done.ok:
        raise Rejected("golden_does_not_apply", done.err.strip()[-300:])


def draft(candidate: Candidate, tests: Overlay, split: Split) -> Task:
    """The task as it stands before it has proved itself."""
    pull = candidate.pull
    params = SuiteParams(
        suite=candidate.suite,
        tests=tests.tests,
        deleted=tests.deleted,
        fail_to_pass=split.fail_to_pass,
        pass_to_pass=split.pass_to_pass,
    )
    return Task(
        domain="swe",
        kind=candidate.route.kind,
        instruction=told(candidate, pull.statement),
        env=candidate.env,
        checks=(Check(verifier="suite", params=params.model_dump(mode="json")),),
        reference=Reference(patch=pull.patch),
        provenance=Provenance(
            source=f"git:{pull.id}",
            licence=pull.licence,
            url=pull.url,
            commit=pull.base_commit,
            created=pull.merged_at,
        ),
    )
