"""The verifier `newtests`: the attempt's tests must pass with the right code and fail with the wrong, in fresh boxes.

what an attempt may try                     what stops it
change the code under test                  only its test files are taken over
tests that pass or fail whatever happens    they must fail with wrong code and pass with right code
tests that remember earlier runs            every run is in a box of its own, in random order
tests that know the wrong code by its       the right code with faults in it is wrong code too, and looks otherwise;
  text, bytecode, hash or git                 half of these must be noticed, and the task's own tests notice all
tests that know right code so               the right code in other words is right code too; in it stands the text of
                                              wrong code, never executed, and in wrong code that of the right
tests that know right code by what comes    one of the wrong states answers as right code does, but where the base
  besides its answers                         answers otherwise (Python)
tests that know which code is watched       which lines are executed is seen in every run, or in none
drop or weaken the tests there were         those must still pass
leave to them what is to be noticed         one counts as its own only where it fails in the task's tree
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Literal

from crucible import parts
from crucible.box_patch import apply_patch
from crucible.domains.code.check_params import NewTestsParams
from crucible.domains.code.coverage import Lines, executed_lines, run_traced
from crucible.domains.code.path_patterns import is_package_code
from crucible.domains.code.suite import Report, find_runner, run_suite
from crucible.errors import Undecided
from crucible.model import Criterion, Task, Trajectory
from crucible.sandbox import Sandbox
from verifiers import restoring
from verifiers.attempt_tree import read_tree
from verifiers.criteria import gate_criterion

LEAST_NOTICED = 0.5
"""The share of the faults that must be noticed: other tests than the task's own need not find every one."""


RIGHT_STATES = 2
"""The right code as it is, and in other words."""


@dataclass(frozen=True)
class State:
    """One state of the code that the attempt's tests run over: the task's tree with these patches, one after the
    other."""

    kind: Literal["right", "wrong", "mutant"]
    patches: tuple[str, ...]


@dataclass
class TestRun:
    """One run of the attempt's tests over one state of the code."""

    state: State
    report: Report
    executed: Lines | None = None
    """The lines that the tests executed; None where that was not seen."""


@parts.verifier("newtests", layer="execution", version=5, cost="minutes", gate=True)
async def newtests(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: NewTestsParams
) -> AsyncIterator[Criterion]:
    """The attempt's tests pass with the right code, however it is written, and fail with wrong code."""
    tree = await read_tree(box)
    own = [path for path in tree.changed if is_test(path, params.patterns)]
    yield gate_criterion("there are tests", bool(own), ", ".join(own) or "no test file was written or changed")
    if not own:
        return
    await restoring.restore(box, [path for path in tree.changed if path not in own], tree)
    runs = await _run_states(box, params)
    right = [run for run in runs if run.state.kind == "right"]
    if not all(run.report.complete for run in right):
        await _must_be_the_attempt(box, own, params)
    complete = all(run.report.complete and not run.report.broken for run in right)
    yield gate_criterion("the tests run to their end", complete, _describe_incomplete(right) or "as it should be")
    for criterion in judge_runs(params, runs) if complete else ():
        yield criterion


def is_test(path: str, patterns: Sequence[str]) -> bool:
    """`folder/` matches a folder anywhere in the path, anything else the file's name. A package's code is none."""
    if is_package_code(path):
        return False
    pure = PurePosixPath(path)
    folders = [pattern[:-1] for pattern in patterns if pattern.endswith("/")]
    return any(folder in pure.parts[:-1] for folder in folders) or any(
        fnmatchcase(pure.name, pattern) for pattern in patterns
    )


def judge_runs(params: NewTestsParams, runs: Sequence[TestRun]) -> Iterator[Criterion]:
    """What the runs with right code and with wrong code say of the attempt's tests."""
    right = [run for run in runs if run.state.kind == "right"]
    bad = _failing_new_tests(params, right)
    good = _own_tests(params, _passing_new_tests(params, right), runs)
    lost = [test for test in params.pass_to_pass if any(not run.report.maintains(test) for run in right)]
    listed = ", ".join(good[:10]) or "none"
    evidence = f"passing: {listed}; not, in one of {len(right)} ways to write it: {bad}"
    yield gate_criterion("the new tests pass with the right code", bool(good) and not bad, evidence)
    yield from _judge_wrong(good, [run for run in runs if run.state.kind != "right"])
    yield gate_criterion("no other test breaks", not lost, f"lost: {lost[:20]}" if lost else "all that were there")
    if params.changed:
        yield _judge_coverage(params, runs)


def _judge_wrong(good: Sequence[str], runs: Sequence[TestRun]) -> Iterator[Criterion]:
    """Whether the attempt's good tests fail with the code that has the problem, and with enough of the faults."""
    wrong = [run for run in runs if run.state.kind == "wrong"]
    faults = [run for run in runs if run.state.kind == "mutant"]
    unnoticed = sum(not any(_fails(run.report, test) for test in good) for run in wrong)
    evidence = f"{unnoticed} of {len(wrong)} wrong states are not noticed"
    yield gate_criterion("they fail with wrong code", bool(good) and not unnoticed, evidence)
    if faults:
        noticed = sum(not run.report.complete or any(_fails(run.report, test) for test in good) for run in faults)
        evidence = f"{noticed} of {len(faults)} faults in the right code are noticed"
        yield gate_criterion("they notice other faults", noticed >= LEAST_NOTICED * len(faults), evidence)


def _new_tests(params: NewTestsParams, right: Sequence[TestRun]) -> list[str]:
    """The tests that right runs report and the task did not have: the attempt's own."""
    return sorted({test for run in right for test in run.report.outcomes} - {*params.pass_to_pass, *params.failing})


def _passing_new_tests(params: NewTestsParams, right: Sequence[TestRun]) -> list[str]:
    """The attempt's own tests that pass in every right run."""
    return [test for test in _new_tests(params, right) if all(run.report.passed(test) for run in right)]


def _own_tests(params: NewTestsParams, new: Sequence[str], runs: Sequence[TestRun]) -> list[str]:
    """Those of the new tests that are not as they were: the change extends some, and so may the attempt."""
    base = next((run.report for run in runs if run.state == State("wrong", ("",))), None)
    return [test for test in new if test not in params.extended or (base is not None and not base.passed(test))]


def _failing_new_tests(params: NewTestsParams, right: Sequence[TestRun]) -> list[str]:
    """The attempt's own tests that fail in some right run."""
    new = _new_tests(params, right)
    return [test for test in new if any(run.report.outcomes.get(test) == "failed" for run in right)]


def _judge_coverage(params: NewTestsParams, runs: Sequence[TestRun]) -> Criterion:
    """Whether the tests execute a line that the right patch adds. The change's own tests were seen to: who hides what
    is executed has shown nothing."""
    seen = next((run.executed for run in runs if run.state.patches == (params.right,)), None)
    lines = executed_lines(seen or {}, params.changed)
    return gate_criterion("they execute changed lines", bool(lines), ", ".join(lines[:10]) or "none is executed")


def list_states(params: NewTestsParams) -> list[State]:
    """The states of the code, in random order."""
    right = State("right", (params.right,))
    rewritten = State("right", (params.right, params.rewrite))
    wrong = [State("wrong", (patch,)) for patch in params.wrong]
    mutants = [State("mutant", (params.right, patch)) for patch in params.mutants]
    states = [right, rewritten, *wrong, *mutants]
    secrets.SystemRandom().shuffle(states)
    return states


async def _run_states(box: Sandbox, params: NewTestsParams) -> list[TestRun]:
    """The attempt's tests over every state, each in a box of its own."""
    runs: list[TestRun] = []
    for state in list_states(params):
        async with box.fork() as other:
            for patch in state.patches:
                await _apply(other, patch)
            runs.append(await _run_tests(other, params, state))
        if is_decided(params, runs):
            break
    return runs


def is_decided(params: NewTestsParams, runs: Sequence[TestRun]) -> bool:
    """Whether the attempt fails whatever the states say that were not run yet: something new does not pass with right
    code, or, where it was run in both ways of writing it, none that passes there notices wrong code."""
    right = [run for run in runs if run.state.kind == "right"]
    if not right:
        return False
    passing = _passing_new_tests(params, right)
    if not passing or _failing_new_tests(params, right):
        return True
    wrong = [run.report for run in runs if run.state.kind == "wrong"]
    return len(right) == RIGHT_STATES and any(not any(_fails(report, test) for test in passing) for report in wrong)


async def _run_tests(box: Sandbox, params: NewTestsParams, state: State) -> TestRun:
    runner = find_runner(params.suite.runner)
    if params.changed:
        return TestRun(state, *await run_traced(box, runner, params.suite, params.changed))
    return TestRun(state, await run_suite(box, runner, params.suite))


async def _must_be_the_attempt(box: Sandbox, own: Sequence[str], params: NewTestsParams) -> None:
    """Without the attempt's tests the run must come to its end; otherwise nothing is known of the attempt."""
    async with box.fork() as other:
        await restoring.restore(other, own)
        await _apply(other, params.right)
        control = await _run_tests(other, params, State("right", (params.right,)))
    if not control.report.complete:
        raise Undecided(f"the tests do not run, with or without the attempt's: {control.report.why}")


async def _apply(box: Sandbox, patch: str) -> None:
    if patch:
        restoring.output_or_raise(await apply_patch(box, patch.encode()))


def _fails(report: Report, test: str) -> bool:
    """It failed, or its file could not be loaded or compiled."""
    state, file = report.outcomes.get(test), report.outcomes.get(test.partition("::")[0])
    return state == "failed" or (state is None and (file == "failed" or bool(report.broken)))


def _describe_incomplete(right: Sequence[TestRun]) -> str:
    """Why the first run that did not come to its end did not; empty when all did."""
    first = next((run.report for run in right if not run.report.complete or run.report.broken), None)
    return "" if first is None else f"{first.broken or first.why}\n{first.log[-1000:]}"
