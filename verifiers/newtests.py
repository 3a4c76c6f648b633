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
from crucible.datafile import whole
from crucible.domains.code.check_params import NewTestsParams
from crucible.domains.code.coverage import Lines, run_traced, touches
from crucible.domains.code.suite import Report, find_runner, run_suite
from crucible.errors import Undecided
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers import diffs, protected
from verifiers.protection import is_code

HERE = Path(__file__).parent


class Harmless(Record):
    """`newtests.toml`: a line without effect, by suffix."""

    harmless: dict[str, str]


@dataclass
class Ran:
    """One run of the attempt's tests over one state of the code."""

    report: Report
    seen: Lines | None = None


@parts.verifier("newtests", layer="execution", version=1, cost="minutes", gate=True, needs=("blobs",))
async def newtests(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: NewTestsParams, blobs: BlobStore
) -> AsyncIterator[Criterion]:
    """The attempt's tests pass with the right code, and fail with each wrong one."""
    name = trajectory.artifacts.get("diff")
    touched = diffs.touched(blobs.get(name)) if name else ()
    own = [path for path in touched if is_test(path, params.patterns)]
    yield _criterion("there are tests", bool(own), ", ".join(own) or "no test file was written or changed")
    if not own:
        return
    await _drop(box, [path for path in touched if path not in own])
    right, wrong = await _runs(box, params)
    if not all(ran.report.complete for ran in right):
        await _must_be_the_attempt(box, own, params)
    whole_runs = all(ran.report.complete and not ran.report.broken for ran in right)
    yield _criterion("the tests run to their end", whole_runs, _why(right))
    for criterion in judged(params, right, wrong) if whole_runs else ():
        yield criterion


def is_test(path: str, patterns: Sequence[str]) -> bool:
    """`folder/` matches a folder anywhere in the path, anything else the file's name. A package's code is none."""
    if is_code(path):
        return False
    pure = PurePosixPath(path)
    folders = [pattern[:-1] for pattern in patterns if pattern.endswith("/")]
    return any(folder in pure.parts[:-1] for folder in folders) or any(
        fnmatchcase(pure.name, pattern) for pattern in patterns
    )


def judged(params: NewTestsParams, right: Sequence[Ran], wrong: Sequence[Ran]) -> Iterator[Criterion]:
    """What the runs say, one question after the other."""
    fresh = sorted({test for ran in right for test in ran.report.outcomes} - {*params.pass_to_pass, *params.failing})
    bad = [test for test in fresh if any(ran.report.outcomes.get(test) == "failed" for ran in right)]
    good = _fresh(params, right)
    silent = [number for number, ran in enumerate(wrong) if not any(_fails(ran.report, test) for test in good)]
    lost = [test for test in params.pass_to_pass if any(not _kept(ran.report, test) for ran in right)]
    listed = ", ".join(good[:10]) or "none"
    yield _criterion("the new tests pass with the right code", bool(good) and not bad, f"passing: {listed}; not: {bad}")
    yield _criterion("they fail with wrong code", bool(good) and not silent, f"wrong states not noticed: {silent}")
    yield _criterion("no other test breaks", not lost, f"lost: {lost[:20]}" if lost else "all that were there")
    if params.changed:
        yield _executed(params, right)


def _fresh(params: NewTestsParams, right: Sequence[Ran]) -> list[str]:
    """The attempt's own tests that pass in every right run."""
    names = {test for ran in right for test in ran.report.outcomes} - {*params.pass_to_pass, *params.failing}
    return sorted(test for test in names if all(ran.report.passed(test) for ran in right))


def _executed(params: NewTestsParams, right: Sequence[Ran]) -> Criterion:
    seen = [ran.seen for ran in right if ran.seen is not None]
    if not seen:
        raise Undecided("which lines the tests execute could not be seen")
    lines = touches(seen[0], params.changed)
    return _criterion("they execute changed lines", bool(lines), ", ".join(lines[:10]) or "none is executed")


async def _runs(box: Sandbox, params: NewTestsParams) -> tuple[list[Ran], list[Ran]]:
    """All states in random order: two right runs, each wrong one, and a wrong one with a harmless change."""
    states: list[tuple[bool, str, bool]] = [(True, params.right, False), (True, params.right, True)]
    states += [(False, patch, False) for patch in params.wrong]
    if "" in params.wrong and params.right:
        states.append((False, "", True))
    secrets.SystemRandom().shuffle(states)
    right: list[Ran] = []
    wrong: list[Ran] = []
    for is_right, patch, special in states:
        async with box.fork() as other:
            await _apply(other, patch)
            if special and not is_right:
                await _disturb(other, diffs.touched(params.right.encode()))
            ran = await _run(other, params, traced=is_right and special)
        (right if is_right else wrong).append(ran)
        if is_right and not _fresh(params, right):
            break  # nothing new passes: whatever the other states say, it is decided
    return right, wrong


async def _run(box: Sandbox, params: NewTestsParams, traced: bool) -> Ran:
    runner = find_runner(params.suite.runner)
    if traced and params.changed:
        return Ran(*await run_traced(box, runner, params.suite, params.changed))
    return Ran(await run_suite(box, runner, params.suite))


async def _must_be_the_attempt(box: Sandbox, own: Sequence[str], params: NewTestsParams) -> None:
    """Without the attempt's tests the run must come to its end; otherwise nothing is known of the attempt."""
    async with box.fork() as other:
        await _drop(other, own)
        await _apply(other, params.right)
        control = await _run(other, params, traced=False)
    if not control.report.complete:
        raise Undecided(f"the tests do not run, with or without the attempt's: {control.report.why}")


async def _drop(box: Sandbox, paths: Sequence[str]) -> None:
    if paths:
        await protected.sure(box, protected.UNDO.format(base=protected.BASE, paths=shlex.join(paths)))


async def _apply(box: Sandbox, patch: str) -> None:
    if patch:
        protected.must(await apply_patch(box, patch.encode()))


async def _disturb(box: Sandbox, paths: Sequence[str]) -> None:
    lines = whole(HERE / "newtests.toml", Harmless).harmless
    for path in paths:
        line = lines.get(PurePosixPath(path).suffix, "")
        if line:
            file = shlex.quote(path)
            await protected.sure(box, f"[ ! -f {file} ] || printf '\\n%s\\n' {shlex.quote(line)} >> {file}")


def _fails(report: Report, test: str) -> bool:
    """It failed, or its file could not be loaded or compiled."""
    state, file = report.outcomes.get(test), report.outcomes.get(test.partition("::")[0])
    return state == "failed" or (state is None and (file == "failed" or bool(report.broken)))


def _kept(report: Report, test: str) -> bool:
    return report.passed(test) or report.outcomes.get(test) == "skipped"


def _why(right: Sequence[Ran]) -> str:
    first = next((ran.report for ran in right if not ran.report.complete or ran.report.broken), None)
    return "" if first is None else f"{first.broken or first.why}\n{first.log[-1000:]}"


def _criterion(name: str, passed: bool, evidence: str) -> Criterion:
    return Criterion(name=name, passed=passed, evidence=evidence or "as it should be", layer="execution", gate=True)
