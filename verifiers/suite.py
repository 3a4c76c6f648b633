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
from crucible.domains.code.overlay import clear_paths, lay_files, lay_inline
from crucible.domains.code.suite import Canary, Report, Runner, SuiteParams, find_runner, run_suite
from crucible.errors import Undecided
from crucible.judging.grading import read_diff
from crucible.judging.steadiness import MISSED
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.sandbox import Sandbox
from verifiers import restoring
from verifiers.attempt_diff import touched_paths
from verifiers.criteria import gate_criterion
from verifiers.tampering import find_tampering, list_hits

LONGEST_COMMAND = 60_000
"""Where the names of the tests take more characters, all tests are run instead of those."""
LISTED_TESTS = 20
"""How many tests, or restored files, a criterion's evidence lists."""
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
    diff = read_diff(trajectory, blobs)
    hits = await find_tampering(box, diff)
    yield gate_criterion("the change leaves the test run alone", not hits, list_hits(hits) or "no sign of tampering")
    if hits:
        return  # a detected hack zeroes the reward, whatever the tests would say
    restored = await restoring.restore_protected(box, touched_paths(diff))
    await restoring.restore_inline_tests(box, touched_paths(diff))
    runner = find_runner(params.suite.runner)
    trial = Trial(params, runner, runner.canary(params.fail_to_pass, {**params.tests, **params.inline}))
    report = await trial.run(box)
    log = {"log": blobs.put(report.log.encode(errors="replace"))}
    if not report.complete:
        await _must_be_the_attempt(box, task, trial, report)
    ending = report.why or _describe_restored(restored)
    yield gate_criterion("the tests run to their end", report.complete, ending, attachments=log)
    if report.complete:
        for criterion in _judge_report(report, params, trial.canary):
            yield criterion.model_copy(update={"attachments": log})
        lost = _lost_tests(report, params)
        missed = {MISSED: blobs.put("\n".join(lost).encode())} if lost else {}
        evidence = _list_failing(report, lost, len(params.pass_to_pass))
        yield gate_criterion("what passed still passes", not lost, evidence, attachments=log | missed)


@dataclass(frozen=True)
class Trial:
    """The task's tests and, where one can be made, the canary: what is laid over a tree and run."""

    params: SuiteParams
    runner: Runner
    canary: Canary | None

    async def run(self, box: Sandbox) -> Report:
        """Lay the tests over the tree, and run those that count: an attempt's own are not run."""
        params = self.params
        canary = {self.canary.path: self.canary.content} if self.canary else {}
        is_inline = bool(canary.keys() & params.inline.keys())
        await clear_paths(box, params.deleted)
        await lay_files(box, {**params.tests, **({} if is_inline else canary)}, params.data)
        await lay_inline(box, {**params.inline, **(canary if is_inline else {})})
        tests = [*params.fail_to_pass, *params.pass_to_pass, *([self.canary.test] if self.canary else ())]
        paths = self.runner.paths(tests)
        few = sum(map(len, paths)) < LONGEST_COMMAND
        return await run_suite(box, self.runner, params.suite, paths if few else ())


def _judge_report(report: Report, params: SuiteParams, canary: Canary | None) -> list[Criterion]:
    """Whether the report can be believed, and whether the tests that must start to pass do."""
    honest = (canary is None or canary.fails_in(report)) and (report.code == 0) == (not report.has_failures)
    unfixed = [test for test in params.fail_to_pass if not report.passed(test)]
    evidence = _list_failing(report, unfixed, len(params.fail_to_pass))
    return [
        gate_criterion("the report is honest", honest, _describe_honesty(report, canary)),
        gate_criterion("what failed now passes", not unfixed, evidence),
    ]


def _lost_tests(report: Report, params: SuiteParams) -> list[str]:
    """The tests that should have kept passing and did not; a skipped one is maintained."""
    return [test for test in params.pass_to_pass if not report.maintains(test)]


async def _must_be_the_attempt(box: Sandbox, task: Task, trial: Trial, report: Report) -> None:
    """Run the same tests over the reference instead of the attempt: without it they may not even compile. If
    these do not come to their end either, the box or the task is at fault and nothing is known of the attempt."""
    await restoring.exec_or_raise(box, REVERT.format(base=restoring.BASE))
    if task.reference.patch:
        await apply_patch(box, task.reference.patch.encode())
    control = await trial.run(box)
    if not control.complete:
        raise Undecided(f"the tests do not run: {report.why}; without the attempt's changes: {control.why}")


def _describe_restored(paths: Sequence[str]) -> str:
    return f"restored before the run: {', '.join(paths[:LISTED_TESTS])}" if paths else "no protected file was touched"


def _describe_honesty(report: Report, canary: Canary | None) -> str:
    if canary is None:
        state = "could not be made for this framework"
    else:
        state = "has not passed" if canary.fails_in(report) else "is reported as passed, or is missing"
    failing = "some tests fail" if report.has_failures else "no test fails"
    return f"a test that cannot pass {state}; the exit code is {report.code}, by the report {failing}"


def _list_failing(report: Report, missed: Sequence[str], total: int) -> str:
    """The tests that do not pass and what each did instead, with the end of the log, as a criterion's evidence."""
    if not missed:
        return f"all {total} tests"
    listed = "\n".join(f"{test}: {report.outcomes.get(test, 'missing')}" for test in missed[:LISTED_TESTS])
    return f"{len(missed)} of {total} tests do not pass\n{listed}\n{report.log[-1500:]}"
