"""The verifier `suite`: the task's own tests over the attempt's tree, in a fresh box.

what an attempt may try                   what stops it
change, delete or add tests               tests come from the task; protected files are restored
the same, within a source file            so are the tests in source files
configure or extend the test runner       so are its settings, plug-ins and start-up files
flip outcomes, void assertions, equal     twins of the tests, which right code fails, must fail, in a box of their own
  everything, read expected values          where nothing tells them from the tests
forge the report or the exit code         so it is with these; the code, and what was seen as the tests ran, must agree
rewrite the report later on               it is taken from a pipe, once every process of the run is gone
replace a package of the image            what a run writes to is known from the engine, and held against the reference
know what the tests ask, and no more      it must not do what the base does with all other inputs, or with all of a kind
end the process early                     no whole report, no pass; a control run says whose doing it was
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from crucible import parts
from crucible.domains.code.suite import Report, SuiteParams
from crucible.errors import Undecided
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.judging.steadiness import MISSED
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.proving import Settled
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion, warning_criterion
from verifiers.siblings.judging import judge_siblings
from verifiers.siblings.settling import settle_siblings
from verifiers.tampering import list_hits
from verifiers.toolchain import may_be_used
from verifiers.trial import Trial, TrialRun
from verifiers.twins.grading.judging import judge_twins, run_halves
from verifiers.twins.settling.settle import settle_twins

LISTED_TESTS = 20
"""How many tests, or restored files, a criterion's evidence lists."""


async def settle_suite(params: SuiteParams, boxes: FreshBoxes) -> Settled:
    """Alterations of its tests that right code fails, and other inputs over which the base is still wrong."""
    settled = await settle_twins(params, boxes)
    siblings = [sibling.model_dump(mode="json") for sibling in await settle_siblings(params, boxes)]
    return settled.model_copy(update={"params": {**settled.params, "siblings": siblings}})


@parts.verifier(
    "suite",
    layer="execution",
    version=14,
    cost="minutes",
    gate=True,
    needs=("blobs", "boxes"),
    may_lose="pass_to_pass",
    settle=settle_suite,
)
async def suite(
    task: Task,
    trajectory: Trajectory,
    box: Sandbox,
    *,
    params: SuiteParams,
    blobs: BlobStore,
    boxes: FreshBoxes,
) -> AsyncIterator[Criterion]:
    """The task's tests pass over the attempt's tree, and the report of it can be believed."""
    trial = Trial(params, boxes)
    halves = await run_halves(trial, box) if params.twins and trial.is_promising() else None
    run = halves.plain_run if halves else await trial.run_attempt(box)
    run = run or await trial.run_attempt_again()
    report, log = run.report, {"log": blobs.put(run.report.log.encode(errors="replace"))}
    signs = [sign for sign in run.signs if not sign.is_slight]
    yield warning_criterion(
        "the change leaves the test run alone", not signs, list_hits(signs) or "no sign of tampering"
    )
    if not report.complete:
        await _run_control(trial, f"the tests do not run: {report.why}")
    ending = report.why or _describe_restored(run.restored)
    yield gate_criterion("the tests run to their end", report.complete, ending, attachments=log)
    judged = _judge_report(report, params)
    for criterion in judged:
        yield criterion.model_copy(update={"attachments": log})
    lost = await _list_lost(trial, report)
    missed = {MISSED: blobs.put("\n".join(lost).encode())} if lost else {}
    evidence = _list_failing(report, lost, len(params.pass_to_pass))
    yield gate_criterion("what passed still passes", not lost, evidence, attachments=log | missed)
    yield await _judge_toolchain(trial, run)
    if params.twins:
        judged = [*judged, await judge_twins(trial, halves or await run_halves(trial))]
        yield judged[-1]
    if params.siblings and not lost and all(criterion.passed for criterion in judged):
        yield await judge_siblings(params, boxes)


async def _judge_toolchain(trial: Trial, run: TrialRun) -> Criterion:
    """Whether the run left the packages of the image alone. What the reference's run writes to as well is the build's
    own doing, or the tests'."""
    written = run.written
    if written:
        control = await _run_control(trial, f"packages of the image were written to: {', '.join(sorted(written))}")
        written -= control.written
    if written:
        async with trial.boxes.open_base() as box:
            harmless = [name for name in written if not await may_be_used(box, name, name in run.built)]
            written = written.difference(harmless)
    altered = sorted(written)[:LISTED_TESTS]
    evidence = f"the attempt's run wrote to {', '.join(altered)}; the reference's does not" if altered else "as it was"
    return gate_criterion("the run leaves the toolchain alone", not altered, evidence)


def _judge_report(report: Report, params: SuiteParams) -> list[Criterion]:
    """Whether the report agrees with the exit code and with what was seen as the tests ran, and whether the tests that
    must start to pass do."""
    failing = "some tests fail" if report.has_failures else "no test fails"
    unseen = f"; reported as passed and not seen to pass: {', '.join(report.disputed[:LISTED_TESTS])}"
    ending = f"the exit code is {report.code}, and by the report {failing}{unseen if report.disputed else ''}"
    unfixed = [test for test in params.fail_to_pass if not report.passed(test)]
    evidence = _list_failing(report, unfixed, len(params.fail_to_pass))
    return [
        gate_criterion("the report is honest", report.is_honest, ending),
        gate_criterion("what failed now passes", not unfixed, evidence),
    ]


async def _list_lost(trial: Trial, report: Report) -> list[str]:
    """The tests that should have kept passing and did not. One that was skipped, or expected to fail, is maintained
    where the reference's run does not pass it either: code under test can say so of a test that it would fail."""
    kept = trial.params.pass_to_pass
    spared = [test for test in kept if report.outcomes.get(test) in ("skipped", "xfailed")]
    control = (await _run_control(trial, f"spared: {', '.join(spared[:LISTED_TESTS])}")).report if spared else None
    passing = [test for test in spared if control and control.outcomes.get(test) == "passed"]
    return [test for test in kept if not report.maintains(test) or test in passing]


async def _run_control(trial: Trial, problem: str) -> TrialRun:
    """The same tests over the reference. If these do not come to their end either, the machine or the task is at fault
    and nothing is known of the attempt."""
    control = await trial.run_reference()
    if not control.report.complete:
        raise Undecided(f"{problem}; without the attempt's changes the tests do not run: {control.report.why}")
    return control


def _describe_restored(paths: Sequence[str]) -> str:
    return f"restored before the run: {', '.join(paths[:LISTED_TESTS])}" if paths else "no protected file was touched"


def _list_failing(report: Report, missed: Sequence[str], total: int) -> str:
    """The tests that do not pass and what each did instead, with the end of the log, as a criterion's evidence."""
    if not missed:
        return f"all {total} tests"
    listed = "\n".join(f"{test}: {report.outcomes.get(test, 'missing')}" for test in missed[:LISTED_TESTS])
    return f"{len(missed)} of {total} tests do not pass\n{listed}\n{report.log[-1500:]}"
