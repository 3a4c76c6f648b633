"""What a run of twins says of an attempt: altered tests fail, the others pass, as they do with the reference."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import SystemRandom

from crucible.domains.code.altering import draw_twins
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


@dataclass(frozen=True)
class TwinRun:
    """A run over a fresh draw of the task's twins, which goes on beside the run of the tests."""

    draw: Sequence[Twin]
    ended: asyncio.Task[TrialRun] | None
    """None where it is not begun before the tests have passed."""


@asynccontextmanager
async def begin_twins(trial: Trial) -> AsyncIterator[TwinRun]:
    """Run a fresh draw of the task's twins over the attempt, in a box of its own, while the tests run. It is stopped at
    the end of the block, and not begun for an attempt that is not likely to pass."""
    draw = draw_twins(trial.params.twins, SystemRandom())
    ended = asyncio.create_task(trial.run_attempt_again(draw)) if draw and trial.is_promising() else None
    try:
        yield TwinRun(draw, ended)
    finally:
        if ended:
            ended.cancel()
            await asyncio.gather(ended, return_exceptions=True)


async def judge_twins(trial: Trial, run: TwinRun) -> Criterion:
    """What the run of twins says of the attempt. What is not as it was when the task was proven counts only where the
    reference, with the same draw, still does as it did."""
    params, draw = trial.params, run.draw
    report = (await (run.ended or trial.run_attempt_again(draw))).report
    attached = {"log": trial.boxes.blobs.put(report.log.encode(errors="replace"))}
    unlike = find_unlike(params, draw, report)
    if unlike:
        reference = (await trial.run_reference(draw)).report
        if not reference.complete:
            raise Undecided(f"the altered tests do not run: {report.why}; with the reference: {reference.why}")
        unlike = [test for test in unlike if test not in find_unlike(params, draw, reference)]
    evidence = describe_unlike(params, draw, report, unlike) if unlike else describe_draw(params, draw)
    return gate_criterion(NAME, not unlike, evidence, attachments=attached)


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
