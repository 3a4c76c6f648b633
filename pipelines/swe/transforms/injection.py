"""Bug injection: the merged state with a fault in it; the tests that the fault breaks are the reward."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crucible.mining import MiningContext, Route
from crucible.model import Reference, Task
from crucible.sandbox import Sandbox
from pipelines.swe.instructions import fill_template
from pipelines.swe.model import Built, Candidate, Overlay
from pipelines.swe.rewards.classify import Runs, classify, file_of_test, require_complete_runs, require_reward
from pipelines.swe.rewards.drafting import make_draft, make_suite_check
from pipelines.swe.rewards.measure import apply_or_reject, run_whole_suite
from pipelines.swe.transforms.faults import Fault, find_noticed_fault

MOST_DESCRIBED = 8
"""Failing tests, and lines of what they show, that are described at most."""
LINE_CHARS = 200
"""Characters of each of these lines."""
PYTEST_ERROR = re.compile(r"E\s+\S")
# matches the beginning of: E       assert 3 == 4
PLACE_OR_DIFF = re.compile(r"\.py:\d+|^\+|^-|^\?")
# matches in: sums.py:12: AssertionError  + 3  - 4  ?  ^
NAME_SEPARATOR = re.compile(r"::|/")
# matches what separates the names in: tests/test_a.py::test_b
TEST_PREFIX = re.compile(r"^(?i:test)_?")
# matches the beginning of: test_total  TestTotal


async def inject_bug(built: Built, context: MiningContext) -> Task:
    """The task of finding and undoing an injected fault."""
    fault = await find_noticed_fault(built, context, built.task.id)
    candidate = _faulty_candidate(built, fault)
    runs, tests = await _measure_fault(candidate, fault, context)
    split = classify(runs)
    require_reward(split)
    instruction = fill_template("injection", candidate, failing=describe_failures(split.fail_to_pass, fault.log))
    check = make_suite_check(candidate, tests, split)
    return make_draft(candidate, instruction, (check,), Reference(patch=fault.undo))


def describe_failures(tests: Sequence[str], log: str) -> str:
    """What the failing tests say, in words: their names and what was seen instead, but no place in the source."""
    lines = [f"- {_describe_test(test)}" for test in tests[:MOST_DESCRIBED]]
    if len(tests) > MOST_DESCRIBED:
        lines.append(f"- and {len(tests) - MOST_DESCRIBED} more like these")
    errors = [line[1:].strip() for line in log.splitlines() if PYTEST_ERROR.match(line)]
    seen = [error for error in dict.fromkeys(errors) if not PLACE_OR_DIFF.search(error)][:MOST_DESCRIBED]
    if seen:
        lines += ["", "What is seen instead:", "", *(f"    {error[:LINE_CHARS]}" for error in seen)]
    return "\n".join(lines)


def _describe_test(test: str) -> str:
    """The name of a test in words, with its id."""
    name = NAME_SEPARATOR.split(test.partition("[")[0])[-1]
    words = TEST_PREFIX.sub("", name).replace("_", " ").strip()
    return f"{words or name} (`{test}`)"


def _faulty_candidate(built: Built, fault: Fault) -> Candidate:
    """The candidate whose base is the merged state with the fault in it, and whose change takes the fault out."""
    merged = built.candidate
    patches = (merged.env.patch, merged.pull.patch, merged.pull.test_patch, fault.patch)
    joined = "".join(patch if patch.endswith("\n") else f"{patch}\n" for patch in patches if patch.strip())
    env = merged.env.model_copy(update={"patch": joined})
    pull = merged.pull.model_copy(update={"patch": fault.undo, "test_patch": ""})
    route = Route(kind="bugfix", confidence=1.0, why=f"a fault was put in: {fault.mutant.operator}")
    return merged.model_copy(update={"env": env, "pull": pull, "route": route})


async def _measure_fault(candidate: Candidate, fault: Fault, context: MiningContext) -> tuple[Runs, Overlay]:
    """The runs with the fault and without it, and the files of the tests that it breaks, as they are."""
    runs, tests = Runs(), Overlay()
    for _ in range(context.repeats):
        async with context.world.open(candidate.env) as box:
            tests = Overlay(tests=await _read_test_files(box, fault.broken))
            before = await run_whole_suite(box, candidate)
        async with context.world.open(candidate.env) as box:
            await apply_or_reject(box, fault.undo)
            after = await run_whole_suite(box, candidate)
        runs = Runs(base=(*runs.base, before), tested=(*runs.tested, before), golden=(*runs.golden, after))
        require_complete_runs(runs)
        require_reward(classify(runs))
    return runs, tests


async def _read_test_files(box: Sandbox, tests: Sequence[str]) -> dict[str, str]:
    """The texts of the files of these tests by path, where the tests' ids name files."""
    texts = {}
    for path in sorted({file_of_test(test) for test in tests}):
        try:
            texts[path] = (await box.read(path)).decode()
        except (OSError, ValueError):
            continue
    return texts
