"""Finds out, while a task is proven, which alterations of its tests the reference fails, and fails every time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import Report, SuiteParams
from crucible.domains.code.twins import Twin
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.proving import Settled
from crucible.record import Json, digest
from verifiers.restoring import read_base_files
from verifiers.trial import Trial
from verifiers.twins.answers import find_shown, note_shown, tells_right
from verifiers.twins.base_values import base_values_first
from verifiers.twins.copies.spreading import (
    CopiedTest,
    list_altered,
    list_denied,
    list_idle,
    list_run,
    spread_copies,
)
from verifiers.twins.denials import deny_places
from verifiers.twins.drafting import draft_twins
from verifiers.twins.names import failing_first, hidden_first, is_in_test, name_failures, named_lines
from verifiers.twins.other_places import list_further, list_unproven
from verifiers.twins.tree_files import read_test_files

RUNS = 2
"""How many runs there are at once; a condition that was turned round has to fail in each."""
MOST_DRAWS = 3
"""How many sets of alterations are tried at most."""
MOST_REPAIRS = 3
"""How often a set is run at most until it compiles."""
QUICK_SECONDS = 10.0
"""Copies of tests are run at grading if they take no more time than this when the task is proven."""
COPYING_SECONDS = 300.0
"""Copies are not even tried where they seem to take more time than this."""
MOST_TWINS = 60
"""How many alterations are kept at most."""


async def settle_twins(params: SuiteParams, boxes: FreshBoxes) -> Settled:
    """The alterations that the reference fails, or why there are none. `boxes` have the reference's tree."""
    added: dict[str, Json] = {}
    if not (params.tests or params.inline):
        async with boxes.open_attempt() as box:
            params = params.model_copy(update={"tests": await read_test_files(box, params)})
        added = {"tests": dict(params.tests)}
    trial = Trial(params.model_copy(update={"twins": ()}), boxes)
    drafted = draft_twins({**params.tests, **params.inline}, seed=digest(params))
    if not drafted:
        return Settled(why="no assertion in its tests can be altered", params={"twins": []})
    async with boxes.open_base() as box:
        base = await read_base_files(box, sorted({twin.path for twin in drafted}))
        began = time.monotonic()
        before = (await trial.run_attempt(box)).report
        pace = (time.monotonic() - began) / max(1, len(before.outcomes))
    candidates = failing_first(hidden_first(params, drafted, base), before.log)
    candidates = base_values_first(candidates, {**params.tests, **params.inline}, before.log)
    tried = await _try_candidates(trial, candidates, frozenset(before.outcomes), int(COPYING_SECONDS / pace))
    proven = keep_best(params, tried.found)[:MOST_TWINS]
    telling = [twin for twin in candidates if (twin.path, twin.line) not in tried.idle]
    twins = [*proven, *list_unproven(params, telling, proven)]
    tried.denied |= await _try_denials(trial, [twin for twin in twins if (twin.path, twin.test) not in tried.copied])
    copied = [
        twin.model_copy(
            update={
                "is_copied": (twin.path, twin.test) in tried.copied,
                "is_denied": (twin.path, twin.test) in tried.denied,
                "is_told": bool(twin.shown) or (twin.path, twin.start) in tried.told,
                "is_told_beside": bool(twin.shown) or (twin.path, twin.start) in tried.told_beside,
            }
        )
        for twin in twins
    ]
    kept: list[Json] = [twin.model_dump(mode="json") for twin in copied]
    return Settled(params={"twins": kept, **added}, twins=len(proven), why="" if kept else tried.why)


@dataclass
class _Tried:
    """What was found out about candidates."""

    found: list[Twin] = field(default_factory=list)
    """Those that the reference fails."""
    idle: set[tuple[str, int]] = field(default_factory=set)
    """Lines of files with one that it passes."""
    copied: set[tuple[str, str]] = field(default_factory=set)
    """Tests of files of which copies were run, in little time."""
    denied: set[tuple[str, str]] = field(default_factory=set)
    """Tests of files that right code passes where all altered values are denied."""
    told: set[tuple[str, int]] = field(default_factory=set)
    """Places in files with a copy whose failure tells the right value."""
    told_beside: set[tuple[str, int]] = field(default_factory=set)
    """Those where it stands beside the altered one."""
    why: str = ""
    """Why nothing was found."""

    def note_copies(self, params: SuiteParams, plain: _Run, copying: _Run) -> None:
        """What a run with copies tells, beside one without."""
        copies, report = copying.draw, copying.report
        if not report.complete or copying.seconds - plain.seconds >= QUICK_SECONDS:
            return
        self.idle |= {(twin.path, twin.line) for twin in list_idle(copies, report)}
        files, output = {**params.tests, **params.inline}, report.output or report.log
        altered = [copy.altered for copy in list_altered(copies)]
        self.told |= {(twin.path, twin.start) for twin in altered if tells_right(output, twin, files[twin.path])}
        self.told_beside |= {(twin.path, twin.start) for twin in altered if find_shown(output, twin, files[twin.path])}
        wanted = (*params.fail_to_pass, *params.pass_to_pass)
        failing = [test for test in wanted if report.outcomes.get(test) == "failed"]
        if all(any(is_in_test(twin, test) for twin in copies) for test in failing):
            self.copied |= {(twin.path, twin.test) for twin in list_run(copies, report)}
            self.denied |= {(copy.path, copy.altered.test) for copy in list_denied(copies, report)}


@dataclass(frozen=True)
class _Run:
    """What was laid into a run, as far as it could be built, and what came of it."""

    draw: Sequence[Twin]
    report: Report
    seconds: float


async def _try_candidates(trial: Trial, candidates: Sequence[Twin], known: frozenset[str], most_copies: int) -> _Tried:
    """Try two of every test, in two runs at once, then others of each test for which none was found; a single one where
    nobody can tell whose the failures are. At first copies of the tests, altered in all other lines, are run with the
    second, unless they would be more than `most_copies`. `known` are the tests that there are without alterations."""
    waiting = group_by_test(candidates)
    tried = _Tried()
    singly = False
    for number in range(MOST_DRAWS):
        draws = pick_draws(waiting.values(), singly)
        if not draws[0]:
            break
        copies = [] if number else _copy_tests(trial.params, waiting.values(), draws)
        copies = copies if len(copies) <= most_copies else []
        runs = await _run_all(trial, [draws[0], [*draws[1], *copies]])
        if copies:
            tried.note_copies(trial.params, *runs)
        hits = _find_hits(trial.params, runs, known)
        tried.found += hits
        reports = [run.report for run in runs]
        tried.why = next((report.why for report in reports if not report.complete), "no alteration makes a test fail")
        if not hits and len(draws[0]) > 1 and _fails_somewhere(trial.params, reports):
            singly = True
            continue
        drawn = {twin for draw in draws for twin in draw}
        failed = {hit.place for hit in hits}
        tried.idle |= {(twin.path, twin.line) for twin in drawn if twin.is_value and twin.place not in failed}
        settled = group_by_test(twin for twin in hits if makes_new_test_fail(trial.params, twin))
        left = {test: tuple(twin for twin in group if twin not in drawn) for test, group in waiting.items()}
        waiting = {test: group for test, group in left.items() if group and test not in settled}
    return tried


async def _try_denials(trial: Trial, twins: Sequence[Twin]) -> set[tuple[str, str]]:
    """The tests of files that deny these alterations and that right code passes; none unless it passes all of them."""
    draw = deny_places(trial.params, twins)
    report = (await trial.run_attempt_again(draw)).report if draw else Report()
    is_passed = report.complete and all(map(report.passed, trial.params.fail_to_pass))
    return {(twin.path, twin.test) for twin in draw if is_passed}


def _copy_tests(params: SuiteParams, groups: Iterable[Sequence[Twin]], draws: Sequence[Sequence[Twin]]) -> list[Twin]:
    """Copies of the tests of the second draw, each altered in a line that is in no draw."""
    further = list_further(params, groups, draws)
    chosen = [twin.model_copy(update={"is_denied": True}) for twin in draws[1]]
    added = spread_copies(params, chosen, further, Random(digest(params)))
    return [twin for twin in added if isinstance(twin, CopiedTest)]


def _find_hits(params: SuiteParams, runs: Sequence[_Run], known: frozenset[str]) -> list[Twin]:
    """The alterations that made tests fail, with what the logs show of them."""
    laid = [[twin for twin in run.draw if not isinstance(twin, CopiedTest)] for run in runs]
    failed = [select_failing(params, draw, run.report, known) for draw, run in zip(laid, runs, strict=True)]
    files = {**params.tests, **params.inline}
    logs = [run.report.log for run in runs]
    return [note_shown(hit, files[hit.path], logs) for hit in join_hits(list(zip(laid, failed, strict=True)))]


def pick_draws(groups: Iterable[Sequence[Twin]], singly: bool) -> list[list[Twin]]:
    """What is laid into each of the runs: the best alteration of every test into the first, and the best one in another
    line into the second, where there is one. For a value once is enough: right code gives the expected one every time,
    and so never the other."""
    chosen = [_pick_places(group) for group in groups][: 1 if singly else None]
    return [[places[0] for places in chosen], [places[0 if singly else -1] for places in chosen]]


def _pick_places(group: Sequence[Twin]) -> list[Twin]:
    first = group[0]
    others = [twin for twin in group if twin.line != first.line and twin.is_near <= first.is_near]
    return [first, *others[: RUNS - 1]] if first.is_value else [first]


def join_hits(runs: Sequence[tuple[Sequence[Twin], Sequence[Twin]]]) -> list[Twin]:
    """The alterations that failed in every run that they were laid into, with the tests that failed in all of these.
    `runs` are what each had laid into it, and what of that failed."""
    laid = [twin.place for draw, _ in runs for twin in draw]
    failed: dict[tuple[str, int, int, str], list[Twin]] = {}
    for hit in (hit for _, hits in runs for hit in hits):
        failed.setdefault(hit.place, []).append(hit)
    joined = [
        same[0].model_copy(update={"fails": tuple(t for t in same[0].fails if all(t in hit.fails for hit in same))})
        for place, same in failed.items()
        if len(same) == laid.count(place)
    ]
    return [hit for hit in joined if hit.fails]


def _fails_somewhere(params: SuiteParams, reports: Sequence[Report]) -> bool:
    """Whether a test of the task fails in every run that is whole."""
    wanted = [*params.fail_to_pass, *params.pass_to_pass]
    return any(all(report.complete and report.outcomes.get(test) == "failed" for report in reports) for test in wanted)


def keep_best(params: SuiteParams, found: Sequence[Twin]) -> list[Twin]:
    """Of the alterations of each test those that make a test fail which must start to pass, if there are any."""
    groups = group_by_test(found).values()
    return [twin for group in groups for twin in [t for t in group if makes_new_test_fail(params, t)] or group]


def makes_new_test_fail(params: SuiteParams, twin: Twin) -> bool:
    """Whether it makes a test fail that must start to pass, or is in none: of a test with many cases others may fail.
    Code that pleases a single case passes the tests, and fails an alteration of any other."""
    is_in_new = any(is_in_test(twin, test) for test in params.fail_to_pass)
    return not is_in_new or any(test in params.fail_to_pass for test in twin.touched)


async def _run_all(trial: Trial, draws: Sequence[Sequence[Twin]]) -> list[_Run]:
    """What each of these sets comes to, all at once, each in a box of its own."""
    runs = [asyncio.create_task(_run_until_built(trial, draw)) for draw in draws]
    await asyncio.gather(*runs, return_exceptions=True)  # none goes on where another one's box breaks
    return [run.result() for run in runs]


async def _run_until_built(trial: Trial, draw: Sequence[Twin]) -> _Run:
    """The run of this set, or of a part of it: an alteration that does not compile takes the others down."""
    for _ in range(MOST_REPAIRS):
        began = time.monotonic()
        report = (await trial.run_attempt_again(draw)).report
        if len(draw) < 2 or (report.complete and not report.broken):
            break
        draw = [twin for twin in draw if not isinstance(twin, CopiedTest)]
        draw = _leave_unbuilt(draw, report.log)
    return _Run(draw, report, time.monotonic() - began)


def _leave_unbuilt(draw: Sequence[Twin], log: str) -> Sequence[Twin]:
    """The set without the alterations whose lines the compiler complains about; half of it where it names none."""
    built = [twin for twin in draw if twin.line not in named_lines(twin.path, log)]
    return built if 0 < len(built) < len(draw) else draw[: len(draw) // 2]


def select_failing(
    params: SuiteParams, draw: Sequence[Twin], report: Report, known: Collection[str] = ()
) -> list[Twin]:
    """The alterations in whose tests a report has a failure, each with the tests that fail. One that is named after
    what was altered fails under a name that is not `known`, and its own is gone."""
    if not report.complete:
        return []
    wanted = [*params.fail_to_pass, *params.pass_to_pass]
    failing = [test for test, status in report.outcomes.items() if status == "failed"]
    gone = [test for test in wanted if test not in report.outcomes]
    named = name_failures(draw, [test for test in wanted if test in failing])
    missing: dict[Twin, tuple[str, ...]] = {}
    for twin in draw:
        new = [test for test in failing if test not in {*wanted, *known} and is_in_test(twin, test)]
        old = [test for test in gone if is_in_test(twin, test)]
        if not named[twin] and new and len(new) == len(old):
            named[twin], missing[twin] = tuple(new), tuple(old)
    found = [(twin, {"fails": tests, "gone": missing.get(twin, ())}) for twin, tests in named.items() if tests]
    return [twin.model_copy(update=update) for twin, update in found]
