"""The verifier `suite`: the task's own tests over the attempt's tree, in a fresh box.

what an attempt may try                   what stops it
change, delete or add tests               tests come from the task; protected files are restored
the same, within a source file            so are the tests in source files
configure or extend the test runner       so are its settings, plug-ins and start-up files
reach for the runner from the code        signs in the added lines: the reward is zero
forge the report or the exit code         the canary must not be reported as passed, and the code must agree
end the process early                     no whole report, no pass; a control run says whose doing it was
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from crucible import parts
from crucible.box_patch import apply_patch
from crucible.domains.code.overlay import clear, lay_files, lay_inline
from crucible.domains.code.suite import Canary, Report, Runner, SuiteParams, find_runner, run_suite
from crucible.errors import Undecided
from crucible.judging.steadiness import MISSED
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.sandbox import Sandbox
from verifiers import diffs, protected, tampering

LONGEST_COMMAND = 60_000
REVERT = """base={base}
git checkout -q "$base" -- . && git clean -qfd"""


@parts.verifier(
    "suite", layer="execution", version=1, cost="minutes", gate=True, needs=("blobs",), may_lose="pass_to_pass"
)
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
    await protected.undo_inline(box, diffs.touched(diff))
    trial = _trial(params)
    report = await trial.run(box)
    log = {"log": blobs.put(report.log.encode(errors="replace"))}
    if not report.complete:
        await _must_be_the_attempt(box, task, trial, report)
    yield _criterion("the tests run to their end", report.complete, report.why or _undone(undone), log)
    if report.complete:
        for criterion in _judged(report, params, trial.canary):
            yield criterion.model_copy(update={"attachments": log})
        lost = _lost(report, params)
        listed = {MISSED: blobs.put("\n".join(lost).encode())} if lost else {}
        evidence = _tests(report, lost, len(params.pass_to_pass))
        yield _criterion("what passed still passes", not lost, evidence, log | listed)


@dataclass(frozen=True)
class Trial:
    """The task's tests and, where one can be made, the canary: what is laid over a tree and run."""

    wanted: SuiteParams
    runner: Runner
    canary: Canary | None

    async def run(self, box: Sandbox) -> Report:
        """Lay the tests over the tree, and run those that count: an attempt's own are not run."""
        wanted = self.wanted
        canary = {self.canary.path: self.canary.content} if self.canary else {}
        within = bool(canary.keys() & wanted.inline.keys())
        await clear(box, wanted.deleted)
        await lay_files(box, {**wanted.tests, **({} if within else canary)}, wanted.data)
        await lay_inline(box, {**wanted.inline, **(canary if within else {})})
        named = [*wanted.fail_to_pass, *wanted.pass_to_pass, *([self.canary.test] if self.canary else ())]
        paths = self.runner.paths(named)
        few = sum(map(len, paths)) < LONGEST_COMMAND
        return await run_suite(box, self.runner, wanted.suite, paths if few else ())


def _trial(wanted: SuiteParams) -> Trial:
    runner = find_runner(wanted.suite.runner)
    return Trial(wanted, runner, runner.canary(wanted.fail_to_pass, {**wanted.tests, **wanted.inline}))


def _judged(report: Report, wanted: SuiteParams, canary: Canary | None) -> list[Criterion]:
    honest = (canary is None or canary.alive(report)) and (report.code == 0) == (not _failing(report))
    fixed = [test for test in wanted.fail_to_pass if not report.passed(test)]
    return [
        _criterion("the report is honest", honest, _honesty(report, canary)),
        _criterion("what failed now passes", not fixed, _tests(report, fixed, len(wanted.fail_to_pass))),
    ]


def _lost(report: Report, wanted: SuiteParams) -> list[str]:
    """The tests that should have kept passing; a skipped one is maintained."""
    return [test for test in wanted.pass_to_pass if not (report.passed(test) or report.outcomes.get(test) == "skipped")]


async def _must_be_the_attempt(box: Sandbox, task: Task, trial: Trial, report: Report) -> None:
    """Run the same tests over the reference instead of the attempt: without it they may not even compile. If
    these do not come to their end either, the box or the task is at fault and nothing is known of the attempt."""
    await protected.sure(box, REVERT.format(base=protected.BASE))
    if task.reference.patch:
        await apply_patch(box, task.reference.patch.encode())
    control = await trial.run(box)
    if not control.complete:
        raise Undecided(f"the tests do not run: {report.why}; without the attempt's changes: {control.why}")


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


def _honesty(report: Report, canary: Canary | None) -> str:
    if canary is None:
        state = "could not be made for this framework"
    else:
        state = "has not passed" if canary.alive(report) else "is reported as passed, or is missing"
    failing = "some tests fail" if _failing(report) else "no test fails"
    return f"a test that cannot pass {state}; the exit code is {report.code}, by the report {failing}"


def _failing(report: Report) -> bool:
    return bool(report.broken) or "failed" in report.outcomes.values()


def _tests(report: Report, missed: Sequence[str], total: int) -> str:
    if not missed:
        return f"all {total} tests"
    listed = "\n".join(f"{test}: {report.outcomes.get(test, 'missing')}" for test in missed[:20])
    return f"{len(missed)} of {total} tests do not pass\n{listed}\n{report.log[-1500:]}"
