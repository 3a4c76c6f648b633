"""What a run of twins says of an attempt: altered tests fail, the others pass, as they do with the reference."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import SystemRandom

from crucible.domains.code.altering import draw_spared, draw_twins
from crucible.domains.code.suite import Report, SuiteParams
from crucible.domains.code.twins import Twin
from crucible.errors import Undecided
from crucible.model import Criterion
from verifiers.criteria import gate_criterion
from verifiers.trial import Trial, TrialRun

NAME = "altered tests fail"
LISTED = 10
"""How many tests a criterion's evidence lists."""
SHOWN_CHARS = 80
"""How much is shown of an altered text."""


Draw = Sequence[Twin]


@dataclass(frozen=True)
class TwinRun:
    """The runs over a fresh draw of the task's twins and over what that spares, beside the run of the tests."""

    draws: Sequence[Draw]
    ended: asyncio.Task[list[TrialRun]] | None
    """None where they are not begun before the tests have passed."""


@asynccontextmanager
async def begin_twins(trial: Trial) -> AsyncIterator[TwinRun]:
    """Run the task's twins over the attempt, in a box of their own, while the tests run. They are stopped at the end of
    the block, and not begun for an attempt that is not likely to pass."""
    draws = draw_both(trial.params.twins)
    ended = (
        asyncio.create_task(trial.run_attempt_in_turn(draws)) if trial.params.twins and trial.is_promising() else None
    )
    try:
        yield TwinRun(draws, ended)
    finally:
        if ended:
            ended.cancel()
            await asyncio.gather(ended, return_exceptions=True)


def draw_both(twins: Sequence[Twin]) -> list[Draw]:
    """A draw, and an alteration of each test that it spares, in any order: every test is altered in one of the two runs
    and must pass in the other. An object that equals everything may give itself away by one test alone. Where nothing
    is spared, there is one run."""
    random = SystemRandom()
    draw = draw_twins(twins, random)
    draws: list[Draw] = [drawn for drawn in (draw, draw_spared(twins, draw, random)) if drawn]
    random.shuffle(draws)
    return draws


async def judge_twins(trial: Trial, run: TwinRun) -> Criterion:
    """What the runs of twins say of the attempt. What is not as it was when the task was proven counts only where the
    reference, with the same draw, still does as it did."""
    runs = await (run.ended or trial.run_attempt_in_turn(run.draws))
    for place, (draw, found) in enumerate(zip(run.draws, runs, strict=False)):
        report, unlike = found.report, find_unlike(trial.params, draw, found.report)
        if unlike and place:  # something of the run before may have been in its way
            report = (await trial.run_attempt_again(draw)).report
            unlike = find_unlike(trial.params, draw, report)
        if unlike and (unlike := await _leave_the_reference(trial, draw, report, unlike)):
            evidence = describe_unlike(trial.params, draw, report, unlike)
            return gate_criterion(NAME, False, evidence, attachments=_attach_log(trial, report))
    laid = [twin for draw in run.draws[: len(runs)] for twin in draw]
    return gate_criterion(NAME, True, describe_draw(trial.params, laid), attachments=_attach_log(trial, runs[0].report))


async def _leave_the_reference(trial: Trial, draw: Draw, report: Report, unlike: Sequence[str]) -> list[str]:
    """Those of these tests that the reference does as it did; Undecided where its tests do not run."""
    reference = (await trial.run_reference(draw)).report
    if not reference.complete:
        raise Undecided(f"the altered tests do not run: {report.why}; with the reference: {reference.why}")
    return [test for test in unlike if test not in find_unlike(trial.params, draw, reference)]


def _attach_log(trial: Trial, report: Report) -> dict[str, str]:
    return {"log": trial.boxes.blobs.put(report.log.encode(errors="replace"))}


def find_unlike(params: SuiteParams, draw: Sequence[Twin], report: Report) -> list[str]:
    """The tests that do otherwise than they do with right code: altered ones that do not fail, others that do. All of
    them where the run did not come to its end."""
    altered = {test for twin in draw for test in twin.fails}
    unlike = [test for test in sorted(altered) if not report.complete or report.outcomes.get(test) != "failed"]
    unlike += [test for test in params.fail_to_pass if test not in altered and not report.passed(test)]
    return unlike + [test for test in params.pass_to_pass if test not in altered and not report.maintains(test)]


def describe_unlike(params: SuiteParams, draw: Sequence[Twin], report: Report, unlike: Sequence[str]) -> str:
    """What right code would not have done, one test in a line."""
    if not report.complete:
        return f"with altered tests the run does not come to its end, as it does with the reference: {report.why}"
    changes = {test: _describe_twin(params, twin) for twin in draw for test in twin.fails}
    lines = [
        f"{test}: {report.outcomes.get(test, 'missing')}, though {changes[test]}"
        if test in changes
        else f"{test}: {report.outcomes.get(test, 'missing')}, though nothing in it was altered"
        for test in unlike[:LISTED]
    ]
    return "\n".join(["right code fails altered tests, and no others; here:", *lines])


def describe_draw(params: SuiteParams, draw: Sequence[Twin]) -> str:
    """What was altered, one place in a line."""
    lines = [_describe_twin(params, twin) for twin in draw[:LISTED]]
    return "\n".join([f"with {len(draw)} alterations the tests fail as they do with the reference:", *lines])


def _describe_twin(params: SuiteParams, twin: Twin) -> str:
    before = {**params.tests, **params.inline}[twin.path][twin.start : twin.end]
    return f"`{before[:SHOWN_CHARS]}` was changed to `{twin.text[:SHOWN_CHARS]}` ({twin.path}:{twin.line})"
