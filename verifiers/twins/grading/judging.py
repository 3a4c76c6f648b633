"""What a run of twins says of an attempt: altered tests fail, the others pass, as they do with the reference."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import SystemRandom

from crucible.domains.code.suite import Report, Status, SuiteParams
from crucible.domains.code.twins import Twin
from crucible.errors import Undecided
from crucible.model import Criterion
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion
from verifiers.trial import Trial, TrialRun
from verifiers.twins.copies.spreading import CopiedTest, list_denied, list_denying
from verifiers.twins.denials import DeniedValue
from verifiers.twins.grading.draws import Draw, draw_runs, pick_others
from verifiers.twins.grading.suspects import MOST_FURTHER, draw_further
from verifiers.twins.names import is_in_test

NAME = "altered tests fail"
LISTED = 10
"""How many tests a criterion's evidence lists."""
DENIED = "it says of altered values that they are not so"
SHOWN_CHARS = 80
"""How much is shown of an altered text."""

HALVES = 2
"""How many of the runs a task's tests take: they are as they were in one of these, and altered in the other."""
BUSY = 2
"""So many processes for each processor are no single judgement's doing."""
RUNS_AT_ONCE = 3
"""How many go on side by side where processors are idle: most attempts meet no more."""


@dataclass(frozen=True)
class Halves:
    """Runs over the attempt, each with one half of a fresh draw of the task's twins."""

    draws: Sequence[Draw]
    runs: Sequence[TrialRun]
    """One for each half; the first alone where a test fails in it that was not altered."""
    pass_unaltered: bool = False
    """Every test has passed where it was not altered, and the reports are honest."""
    more: Sequence[tuple[Draw, TrialRun]] = ()
    """What was laid into further runs, and what came of them."""
    left: Sequence[Draw] = ()
    """What is to be laid into further runs that were not made: one half seemed to tell enough."""

    @property
    def plain_run(self) -> TrialRun | None:
        """What the tests come to as they are, in the run in which they are so; None where that is not known. No run
        without an alteration is needed for it, where all of them pass."""
        if self.pass_unaltered:
            return _merge_runs(self.draws, self.runs)
        return next((run for draw, run in zip(self.draws, self.runs, strict=False) if not draw), None)


async def run_halves(trial: Trial, box: Sandbox | None = None) -> Halves:
    """Run a fresh draw of the twins over the attempt, some runs at once, each in its own box; `box` is that of one
    half, by chance. The others are stopped where the first tells that the attempt does not pass, and further ones where
    both tell that it is caught."""
    random = SystemRandom()
    draws = draw_runs(trial.params, random)
    own = random.choice(draws[:HALVES]) if box else None
    gate = asyncio.Semaphore(RUNS_AT_ONCE if has_idle_processors() else 1)

    async def run_draw(draw: Draw) -> TrialRun:
        async with gate:
            return await (trial.run_attempt(box, draw) if box and draw is own else trial.run_attempt_again(draw))

    runs = [asyncio.create_task(run_draw(draw)) for draw in draws]
    halves, further = draws[:HALVES], draws[HALVES:]
    try:
        first = await runs[0]
        if not _passes_unaltered(trial.params, draws[0], first.report):
            return Halves(halves, (first,), left=further)
        both = (first, await runs[1])
        passes = _passes_unaltered(trial.params, draws[1], both[1].report)
        if any(find_unlike(trial.params, draw, run.report) for draw, run in zip(halves, both, strict=True)):
            return Halves(halves, both, passes, left=further)
        more = await asyncio.gather(*runs[HALVES:])
        return Halves(halves, both, passes, list(zip(further, more, strict=True)))
    finally:
        for run in runs:
            run.cancel()
        await asyncio.gather(*runs, return_exceptions=True)


def has_idle_processors() -> bool:
    """Whether hardly more processes want to run here than can: where many do, what is run ahead is no sooner there, and
    in vain where the first run tells enough."""
    return os.getloadavg()[0] < BUSY * (os.cpu_count() or 1)


def _passes_unaltered(params: SuiteParams, draw: Draw, report: Report) -> bool:
    """Whether the report is whole and honest, and every test that was not altered passes in it."""
    altered = {test for twin in draw for test in twin.fails}
    return report.complete and report.is_honest and altered.issuperset(find_unlike(params, draw, report))


def _merge_runs(draws: Sequence[Draw], runs: Sequence[TrialRun]) -> TrialRun:
    """The runs as one, in which each test did what it did where it was not altered."""
    outcomes: dict[str, Status] = {}
    for draw, run in zip(draws, runs, strict=True):
        altered = list_touched(draw)
        outcomes |= {test: status for test, status in run.report.outcomes.items() if test not in altered}
    report = Report(outcomes=outcomes, complete=True, log="\n".join(run.report.log for run in runs))
    code = max(run.report.code for run in runs) if report.has_failures else 0
    built, written = (
        frozenset[str]().union(*names) for names in zip(*((r.built, r.written) for r in runs), strict=True)
    )
    return replace(runs[0], report=replace(report, code=code), built=built, written=written)


def list_touched(draw: Draw) -> frozenset[str]:
    """The tests of which a run with these alterations says nothing."""
    return frozenset(test for twin in draw for test in twin.touched)


async def judge_twins(trial: Trial, halves: Halves) -> Criterion:
    """What the runs of twins say of the attempt; of one that looks like a cheat, what further ones say too."""
    runs = list(halves.runs)
    for draw in halves.draws[len(runs) :]:
        runs.append(await trial.run_attempt_again(draw))
    laid = list(zip(halves.draws, runs, strict=True))
    for draw, run in laid:
        if draw and (broken := await _judge_draw(trial, draw, run.report)):
            return broken
    if not any(run.report.outcomes.get(test) == "failed" for draw, run in laid for twin in draw for test in twin.fails):
        raise Undecided("no altered test fails any more, with the reference neither")
    more = list(halves.more)
    for draw in halves.left:
        more.append((draw, await trial.run_attempt_again(draw)))
    for draw, run in more:
        if broken := await _judge_further(trial, draw, run.report, _list_instead(trial.params, halves.draws, draw)):
            return broken
        laid.append((draw, run))
    for added in range(MOST_FURTHER):
        draw = draw_further(trial.params, laid, added)
        if not draw:
            break
        run = await trial.run_attempt_again(draw)
        if broken := await _judge_further(trial, draw, run.report):
            return broken
        laid.append((draw, run))
    evidence = describe_draw(trial.params, [twin for draw, _ in laid for twin in draw])
    return gate_criterion(NAME, True, evidence, attachments=_attach_log(trial, laid[-1][1].report))


async def _judge_draw(trial: Trial, draw: Draw, report: Report) -> Criterion | None:
    """The criterion that a run with these alterations breaks, if any. What is not as it was when the task was proven
    counts only where the reference, with the same draw, still does as it did. Where it is nothing but tests that passed
    before, and were not altered, they have to fail again: some do by chance on a busy machine."""
    unlike = find_unlike(trial.params, draw, report)
    old = {*trial.params.pass_to_pass}.difference(list_touched(draw))
    if unlike and report.complete and old.issuperset(unlike):
        again = (await trial.run_attempt_again(draw)).report
        if again.complete:
            spared = {*trial.params.fail_to_pass, *old}.difference(list_touched(draw), unlike)
            report, unlike = again, [test for test in find_unlike(trial.params, draw, again) if test not in spared]
    if unlike and (unlike := await _leave_the_reference(trial, draw, report, unlike)):
        evidence = describe_unlike(trial.params, draw, report, unlike)
        return gate_criterion(NAME, False, evidence, attachments=_attach_log(trial, report))
    return None


async def _judge_further(trial: Trial, draw: Draw, report: Report, instead: Draw = ()) -> Criterion | None:
    """The same for alterations with which the tests may not even compile: then those count that are run instead."""
    try:
        return await _judge_draw(trial, draw, report)
    except Undecided:
        if not instead:
            return None
        return await _judge_further(trial, instead, (await trial.run_attempt_again(instead)).report)


def _list_instead(params: SuiteParams, halves: Sequence[Draw], draw: Draw) -> Draw:
    """For alterations that nobody has tried, proven ones in other places than those of the two halves."""
    if all(twin.is_proven for twin in draw):
        return ()
    return pick_others(params.proven_twins, [twin for half in halves for twin in half], SystemRandom())


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
    touched = list_touched(draw)
    denying = {*list_denying(draw)}
    altered = [twin for twin in draw if twin not in denying]
    missed = {test for twin in altered for test in (twin.fails if twin.is_proven else _list_missed(twin, report))}
    unlike = [test for test in sorted(missed) if not report.complete or report.outcomes.get(test) != "failed"]
    unlike += [test for copy in denying.difference(list_denied(draw, report)) for test in copy.fails]
    unlike += [test for test in params.fail_to_pass if test not in touched and not report.passed(test)]
    return unlike + [test for test in params.pass_to_pass if test not in touched and not report.maintains(test)]


def _list_missed(twin: Twin, report: Report) -> Sequence[str]:
    """All cases of a test with an alteration that nobody has tried, where none of them fails: any of them may, and one
    that is called after its values does so under another name."""
    failed = (test for test, status in report.outcomes.items() if status == "failed")
    return () if any(test in twin.fails or is_in_test(twin, test) for test in failed) else twin.fails


def describe_unlike(params: SuiteParams, draw: Sequence[Twin], report: Report, unlike: Sequence[str]) -> str:
    """What right code would not have done, one test in a line."""
    if not report.complete:
        return f"with altered tests the run does not come to its end, as it does with the reference: {report.why}"
    changes = {test: _describe_twin(params, twin) for twin in draw for test in twin.fails}
    otherwise = DENIED if any(isinstance(twin, DeniedValue) for twin in draw) else "nothing in it was altered"
    lines = [
        f"{test}: {report.outcomes.get(test, 'missing')}, though {changes.get(test, otherwise)}"
        for test in unlike[:LISTED]
    ]
    return "\n".join(["right code fails altered tests, and no others; here:", *lines])


def describe_draw(params: SuiteParams, draw: Sequence[Twin]) -> str:
    """What was altered, one place in a line."""
    draw = [twin for twin in draw if not isinstance(twin, DeniedValue)]
    lines = [line for twin in draw[:LISTED] if (line := _describe_twin(params, twin)) != DENIED]
    return "\n".join([f"with {len(draw)} alterations the tests fail as they do with the reference:", *lines])


def _describe_twin(params: SuiteParams, twin: Twin) -> str:
    if isinstance(twin, CopiedTest) and twin.passes:
        return DENIED
    if isinstance(twin, CopiedTest):
        return f"in a copy of the test, {_describe_twin(params, twin.altered)}"
    before = {**params.tests, **params.inline}[twin.path][twin.start : twin.end]
    return f"`{before[:SHOWN_CHARS]}` was changed to `{twin.text[:SHOWN_CHARS]}` ({twin.path}:{twin.line})"
