"""The verifier `suite`: the task's own tests over the attempt's tree, in a fresh box.

what an attempt may try                   what stops it
change, delete or add tests               tests come from the task; protected files are restored
configure or extend the test runner       so are its settings, plug-ins and start-up files
reach for the runner from the code        signs in the added lines: the reward is zero
forge the report or the exit code         the canary must not be reported as passed, and the code must agree
end the process early                     no whole report, no pass; a control run says whose doing it was
"""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator, Sequence
from pathlib import PurePosixPath

from crucible import parts
from crucible.errors import Undecided
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.sandbox import Sandbox
from crucible.suites import Report, SuiteParams, run_suite
from verifiers import diffs, protected, tampering
from verifiers.canary import Canary, hatch

LONGEST_COMMAND = 60_000
REVERT = """base={base}
git checkout -q "$base" -- . && git clean -qfd"""


@parts.verifier("suite", layer="execution", version=1, cost="minutes", gate=True, needs=("blobs",))
async def suite(
    task: Task,
    trajectory: Trajectory,
    box: Sandbox,
    *,
    params: SuiteParams,
    blobs: BlobStore,
) -> AsyncIterator[Criterion]:
    """The task's tests pass over the attempt's tree, and the report of it can be believed."""
    diff = _diff(trajectory, blobs)
    caught = await tampering.hits(box, diff)
    yield _criterion("the change leaves the test run alone", not caught, _lines(caught) or "no sign of tampering")
    if caught:
        return  # a detected hack zeroes the reward, whatever the tests would say
    undone = await protected.undo(box, diffs.touched(diff))
    canary = hatch(params.fail_to_pass, params.tests)
    report = await _tested(box, params, canary)
    log = {"log": blobs.put(report.log.encode(errors="replace"))}
    if not report.complete:
        await _must_be_the_attempt(box, params, canary, report)
    yield _criterion("the tests run to their end", report.complete, report.why or _undone(undone), log)
    if report.complete:
        for criterion in _judged(report, params, canary):
            yield criterion.model_copy(update={"attachments": log})


def _judged(report: Report, wanted: SuiteParams, canary: Canary) -> list[Criterion]:
    honest = canary.alive(report) and report.code == _code(report)
    fixed = [test for test in wanted.fail_to_pass if not report.passed(test)]
    kept = [test for test in wanted.pass_to_pass if not (report.passed(test) or report.outcomes.get(test) == "skipped")]
    return [
        _criterion("the report is honest", honest, _honesty(report, canary)),
        _criterion("what failed now passes", not fixed, _tests(report, fixed, len(wanted.fail_to_pass))),
        _criterion("what passed still passes", not kept, _tests(report, kept, len(wanted.pass_to_pass))),
    ]


async def _tested(box: Sandbox, wanted: SuiteParams, canary: Canary) -> Report:
    """Lay the task's tests and the canary over the tree, and run them."""
    laid = {**wanted.tests, canary.path: canary.content}
    await protected.sure(box, _clear([*laid, *wanted.deleted]))
    for path, content in laid.items():
        await box.write(path, content.encode())
    runner = parts.find("runner", wanted.suite.runner).make()
    return await run_suite(box, runner, wanted.suite, _files(wanted, canary))


async def _must_be_the_attempt(box: Sandbox, wanted: SuiteParams, canary: Canary, report: Report) -> None:
    """Run the same tests without the attempt's changes. If these do not come to their end either, the box or
    the task is at fault and nothing is known of the attempt."""
    await protected.sure(box, REVERT.format(base=protected.BASE))
    control = await _tested(box, wanted, canary)
    if not control.complete:
        raise Undecided(f"the tests do not run: {report.why}; without the attempt's changes: {control.why}")


def _clear(paths: Sequence[str]) -> str:
    """Remove the files, and any link that stands where one of their folders should be."""
    above = {str(parent) for path in paths for parent in PurePosixPath(path).parents if parent.name}
    links = " ".join(f"[ ! -L {shlex.quote(path)} ] || rm -f -- {shlex.quote(path)};" for path in sorted(above))
    return f"{links} rm -rf -- {shlex.join(paths)}"


def _files(wanted: SuiteParams, canary: Canary) -> list[str]:
    """Only files with a test that counts: an attempt's own tests are not run."""
    named = {test.partition("::")[0] for test in (*wanted.fail_to_pass, *wanted.pass_to_pass)}
    files = sorted({*named, canary.path})
    return files if sum(map(len, files)) < LONGEST_COMMAND else []


def _diff(trajectory: Trajectory, blobs: BlobStore) -> bytes:
    name = trajectory.artifacts.get("diff")
    return blobs.get(name) if name else b""


def _criterion(name: str, passed: bool, evidence: str, attachments: dict[str, str] | None = None) -> Criterion:
    return Criterion(
        name=name, passed=passed, evidence=evidence, layer="execution", gate=True, attachments=attachments or {}
    )


def _lines(caught: Sequence[tampering.Hit]) -> str:
    return "\n".join(str(hit) for hit in caught[:20])


def _undone(undone: Sequence[str]) -> str:
    return f"restored before the run: {', '.join(undone[:20])}" if undone else "no protected file was touched"


def _honesty(report: Report, canary: Canary) -> str:
    state = "has not passed" if canary.alive(report) else "is reported as passed, or is missing"
    return f"a test that cannot pass {state}; the exit code is {report.code}, by the report it is {_code(report)}"


def _code(report: Report) -> int:
    """The exit code that goes with what the report says."""
    return int("failed" in report.outcomes.values())


def _tests(report: Report, missed: Sequence[str], total: int) -> str:
    if not missed:
        return f"all {total} tests"
    listed = "\n".join(f"{test}: {report.outcomes.get(test, 'missing')}" for test in missed[:20])
    return f"{len(missed)} of {total} tests do not pass\n{listed}\n{report.log[-1500:]}"
