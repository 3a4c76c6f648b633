"""The verifier `newtests`: the attempt's tests must pass with the right code and fail with the wrong, in fresh boxes.

what an attempt may try                     what stops it
change the code under test                  only its test files are taken over
tests that pass or fail whatever happens    they must fail with wrong code and pass with right code
tests that remember earlier runs            every run is in a box of its own, in random order
tests that look for a change, not its       a tree with a harmless change is wrong code too
  effect (hashes, git)
drop or weaken the tests there were         those must still pass
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from crucible import parts
from crucible.box_patch import apply_patch
from crucible.datafile import read_file
from crucible.domains.code.check_params import NewTestsParams
from crucible.domains.code.coverage import Lines, executed_lines, run_traced
from crucible.domains.code.path_patterns import is_package_code
from crucible.domains.code.suite import Report, find_runner, run_suite
from crucible.errors import Undecided
from crucible.judging.grading import read_diff
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers import restoring
from verifiers.attempt_diff import touched_paths
from verifiers.criteria import gate_criterion

TABLE = Path(__file__).with_name("newtests.toml")


class HarmlessLines(Record):
    """`newtests.toml`: a line without effect, by suffix."""

    harmless: dict[str, str]


@dataclass
class TestRun:
    """One run of the attempt's tests over one state of the code."""

    report: Report
    executed: Lines | None = None
    """The lines that the tests executed; None where they were not traced."""


@parts.verifier("newtests", layer="execution", version=1, cost="minutes", gate=True, needs=("blobs",))
async def newtests(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: NewTestsParams, blobs: BlobStore
) -> AsyncIterator[Criterion]:
    """The attempt's tests pass with the right code, and fail with each wrong one."""
    touched = touched_paths(read_diff(trajectory, blobs))
    own = [path for path in touched if is_test(path, params.patterns)]
    yield gate_criterion("there are tests", bool(own), ", ".join(own) or "no test file was written or changed")
    if not own:
        return
    await restoring.restore(box, [path for path in touched if path not in own])
    right, wrong = await _run_states(box, params)
    if not all(run.report.complete for run in right):
        await _must_be_the_attempt(box, own, params)
    complete = all(run.report.complete and not run.report.broken for run in right)
    yield gate_criterion("the tests run to their end", complete, _describe_incomplete(right) or "as it should be")
    for criterion in judge_runs(params, right, wrong) if complete else ():
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


def judge_runs(params: NewTestsParams, right: Sequence[TestRun], wrong: Sequence[TestRun]) -> Iterator[Criterion]:
    """What the runs with right code and with wrong code say of the attempt's tests."""
    new = _new_tests(params, right)
    bad = [test for test in new if any(run.report.outcomes.get(test) == "failed" for run in right)]
    good = _passing_new_tests(params, right)
    unnoticed = [number for number, run in enumerate(wrong) if not any(_fails(run.report, test) for test in good)]
    lost = [test for test in params.pass_to_pass if any(not run.report.maintains(test) for run in right)]
    listed = ", ".join(good[:10]) or "none"
    evidence = f"passing: {listed}; not: {bad}"
    yield gate_criterion("the new tests pass with the right code", bool(good) and not bad, evidence)
    evidence = f"wrong states not noticed: {unnoticed}"
    yield gate_criterion("they fail with wrong code", bool(good) and not unnoticed, evidence)
    yield gate_criterion("no other test breaks", not lost, f"lost: {lost[:20]}" if lost else "all that were there")
    if params.changed:
        yield _judge_coverage(params, right)


def _new_tests(params: NewTestsParams, right: Sequence[TestRun]) -> list[str]:
    """The tests that right runs report and the task did not have: the attempt's own."""
    return sorted({test for run in right for test in run.report.outcomes} - {*params.pass_to_pass, *params.failing})


def _passing_new_tests(params: NewTestsParams, right: Sequence[TestRun]) -> list[str]:
    """The attempt's own tests that pass in every right run."""
    return [test for test in _new_tests(params, right) if all(run.report.passed(test) for run in right)]


def _judge_coverage(params: NewTestsParams, right: Sequence[TestRun]) -> Criterion:
    """Whether the tests execute a line that the right patch adds. Undecided when no run could be traced."""
    traced = [run.executed for run in right if run.executed is not None]
    if not traced:
        raise Undecided("which lines the tests execute could not be seen")
    lines = executed_lines(traced[0], params.changed)
    return gate_criterion("they execute changed lines", bool(lines), ", ".join(lines[:10]) or "none is executed")


async def _run_states(box: Sandbox, params: NewTestsParams) -> tuple[list[TestRun], list[TestRun]]:
    """The runs with right code and those with wrong code, all in random order: two right runs, each wrong one, and a
    wrong one with a harmless change."""
    states: list[tuple[bool, str, bool]] = [(True, params.right, False), (True, params.right, True)]
    states += [(False, patch, False) for patch in params.wrong]
    if "" in params.wrong and params.right:
        states.append((False, "", True))
    secrets.SystemRandom().shuffle(states)
    right: list[TestRun] = []
    wrong: list[TestRun] = []
    for is_right, patch, special in states:
        async with box.fork() as other:
            await _apply(other, patch)
            if special and not is_right:
                await _add_harmless_lines(other, touched_paths(params.right.encode()))
            run = await _run_tests(other, params, traced=is_right and special)
        (right if is_right else wrong).append(run)
        if is_right and not _passing_new_tests(params, right):
            break  # nothing new passes: whatever the other states say, it is decided
    return right, wrong


async def _run_tests(box: Sandbox, params: NewTestsParams, traced: bool) -> TestRun:
    runner = find_runner(params.suite.runner)
    if traced and params.changed:
        return TestRun(*await run_traced(box, runner, params.suite, params.changed))
    return TestRun(await run_suite(box, runner, params.suite))


async def _must_be_the_attempt(box: Sandbox, own: Sequence[str], params: NewTestsParams) -> None:
    """Without the attempt's tests the run must come to its end; otherwise nothing is known of the attempt."""
    async with box.fork() as other:
        await restoring.restore(other, own)
        await _apply(other, params.right)
        control = await _run_tests(other, params, traced=False)
    if not control.report.complete:
        raise Undecided(f"the tests do not run, with or without the attempt's: {control.report.why}")


async def _apply(box: Sandbox, patch: str) -> None:
    if patch:
        restoring.output_or_raise(await apply_patch(box, patch.encode()))


async def _add_harmless_lines(box: Sandbox, paths: Sequence[str]) -> None:
    """Add a line without effect to each of these files that is there and whose language has one."""
    lines = read_file(TABLE, HarmlessLines).harmless
    for path in paths:
        line = lines.get(PurePosixPath(path).suffix, "")
        if line:
            file = shlex.quote(path)
            await restoring.exec_or_raise(box, f"[ ! -f {file} ] || printf '\\n%s\\n' {shlex.quote(line)} >> {file}")


def _fails(report: Report, test: str) -> bool:
    """It failed, or its file could not be loaded or compiled."""
    state, file = report.outcomes.get(test), report.outcomes.get(test.partition("::")[0])
    return state == "failed" or (state is None and (file == "failed" or bool(report.broken)))


def _describe_incomplete(right: Sequence[TestRun]) -> str:
    """Why the first run that did not come to its end did not; empty when all did."""
    first = next((run.report for run in right if not run.report.complete or run.report.broken), None)
    return "" if first is None else f"{first.broken or first.why}\n{first.log[-1000:]}"
