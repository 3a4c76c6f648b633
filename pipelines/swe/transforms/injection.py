"""Bug injection: the merged state with a fault in it; the tests that the fault breaks are the reward."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crucible.mining import MiningContext, Route
from crucible.model import Reference, Task
from crucible.sandbox import Sandbox
from pipelines.swe.instructions import text
from pipelines.swe.model import Built, Candidate, Overlay
from pipelines.swe.rewards.classify import Runs, classify, require_complete, require_reward
from pipelines.swe.rewards.drafting import draft, suite_check
from pipelines.swe.rewards.measure import apply, suite_in
from pipelines.swe.transforms.faults import Fault, noticed

MOST = 8
"""Failing tests that are described."""


async def injection(built: Built, context: MiningContext) -> Task:
    """The task of finding and undoing an injected fault."""
    fault = await noticed(built, context, built.task.id)
    candidate = _candidate(built, fault)
    runs, tests = await _measured(candidate, fault, context)
    split = classify(runs)
    require_reward(split)
    told = text("injection", candidate, failing=describe(split.fail_to_pass, fault.log))
    return draft(candidate, told, (suite_check(candidate, tests, split),), Reference(patch=fault.undo))


def describe(tests: Sequence[str], log: str) -> str:
    """What the failing tests say, in words: names and what was found instead, but no place in the source."""
    lines = [f"- {_words(test)}" for test in tests[:MOST]]
    if len(tests) > MOST:
        lines.append(f"- and {len(tests) - MOST} more like these")
    seen = [line[1:].strip() for line in log.splitlines() if re.match(r"E\s+\S", line)]
    found = [line for line in dict.fromkeys(seen) if not re.search(r"\.py:\d+|^\+|^-|^\?", line)][:MOST]
    if found:
        lines += ["", "What is seen instead:", "", *(f"    {line[:200]}" for line in found)]
    return "\n".join(lines)


def _words(test: str) -> str:
    name = re.split(r"::|/", test.partition("[")[0])[-1]
    words = re.sub(r"^(?i:test)_?", "", name).replace("_", " ").strip()
    return f"{words or name} (`{test}`)"


def _candidate(built: Built, fault: Fault) -> Candidate:
    """The merged state with the fault is the base; taking it out is the change."""
    whole = built.candidate
    parts = (whole.env.patch, whole.pull.patch, whole.pull.test_patch, fault.patch)
    env = whole.env.model_copy(update={"patch": "".join(_ended(part) for part in parts if part.strip())})
    pull = whole.pull.model_copy(update={"patch": fault.undo, "test_patch": ""})
    route = Route(kind="bugfix", confidence=1.0, why=f"a fault was put in: {fault.mutant.operator}")
    return whole.model_copy(update={"env": env, "pull": pull, "route": route})


async def _measured(candidate: Candidate, fault: Fault, context: MiningContext) -> tuple[Runs, Overlay]:
    """Runs with the fault and without it, and the test files it breaks as they are."""
    runs, tests = Runs(), Overlay()
    for _ in range(context.repeats):
        async with context.world.open(candidate.env) as box:
            tests = Overlay(tests=await _files(box, fault.broken))
            before = await suite_in(box, candidate)
        async with context.world.open(candidate.env) as box:
            await apply(box, fault.undo)
            after = await suite_in(box, candidate)
        runs = Runs(base=(*runs.base, before), tested=(*runs.tested, before), golden=(*runs.golden, after))
        require_complete(runs)
        require_reward(classify(runs))
    return runs, tests


async def _files(box: Sandbox, tests: Sequence[str]) -> dict[str, str]:
    """The files of these tests, where their ids name them."""
    found = {}
    for path in sorted({test.partition("::")[0] for test in tests}):
        try:
            found[path] = (await box.read(path)).decode()
        except (OSError, ValueError):
            continue
    return found


def _ended(patch: str) -> str:
    return patch if patch.endswith("\n") else f"{patch}\n"
