"""Finds out, while a task is proven, which alterations of its tests the reference fails, and fails every time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
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
from verifiers.twins.answers import find_shown, tells_right
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
from verifiers.twins.names import failing_first, hidden_first, is_in_test
from verifiers.twins.settling.hits import fails_somewhere, find_hits, keep_best, makes_new_test_fail
from verifiers.twins.settling.other_places import list_further, list_unproven
from verifiers.twins.settling.tree_files import read_test_files
from verifiers.twins.settling.trying import TwinRun, run_draws
from verifiers.twins.values.base_values import base_values_first

RUNS = 2
"""How many runs there are at once; a condition that was turned round has to fail in each."""
MOST_DRAWS = 3
"""How many sets of alterations are tried at most."""
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
    candidates, before, most_copies = await _try_base(trial, drafted, boxes)
    tried = await _try_candidates(trial, candidates, frozenset(before.outcomes), most_copies)
    proven = keep_best(params, tried.found)[:MOST_TWINS]
    telling = [twin for twin in candidates if (twin.path, twin.line) not in tried.idle]
    twins = [*proven, *list_unproven(params, telling, proven)]
    tried.denied |= await _try_denials(trial, [twin for twin in twins if (twin.path, twin.test) not in tried.copied])
    kept: list[Json] = [tried.mark_twin(twin).model_dump(mode="json") for twin in twins]
    return Settled(params={"twins": kept, **added}, twins=len(proven), why="" if kept else tried.why)


async def _try_base(trial: Trial, drafted: Sequence[Twin], boxes: FreshBoxes) -> tuple[list[Twin], Report, int]:
    """The candidates, best first, by how the tests fail over the base; that report; and how many copies of tests may
    be run at the pace that it shows."""
    files = {**trial.params.tests, **trial.params.inline}
    async with boxes.open_base() as box:
        base = await read_base_files(box, sorted({twin.path for twin in drafted}))
        began = time.monotonic()
        report = (await trial.run_attempt(box)).report
        pace = (time.monotonic() - began) / max(1, len(report.outcomes))
    candidates = failing_first(hidden_first(trial.params, drafted, base), report.log)
    return base_values_first(candidates, files, report.log), report, int(COPYING_SECONDS / pace)


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

    def mark_twin(self, twin: Twin) -> Twin:
        """The same with what was found out about its test and its place."""
        test, place = (twin.path, twin.test), (twin.path, twin.start)
        return twin.model_copy(
            update={
                "is_copied": test in self.copied,
                "is_denied": test in self.denied,
                "is_told": bool(twin.shown) or place in self.told,
                "is_told_beside": bool(twin.shown) or place in self.told_beside,
            }
        )

    def note_copies(self, params: SuiteParams, plain: TwinRun, copying: TwinRun) -> None:
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
        runs = await run_draws(trial, [draws[0], [*draws[1], *copies]])
        if copies:
            tried.note_copies(trial.params, *runs)
        hits = find_hits(trial.params, runs, known)
        tried.found += hits
        reports = [run.report for run in runs]
        tried.why = next((report.why for report in reports if not report.complete), "no alteration makes a test fail")
        if not hits and len(draws[0]) > 1 and fails_somewhere(trial.params, reports):
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


def pick_draws(groups: Iterable[Sequence[Twin]], singly: bool) -> list[list[Twin]]:
    """What is laid into each of the runs: the best alteration of every test into the first, and the best one in another
    line into the second, where there is one; of a condition, the other way to turn it round. For a value once is
    enough: right code gives the expected one every time, and so never the other."""
    chosen = [_pick_places(group) for group in groups][: 1 if singly else None]
    return [[places[0] for places in chosen], [places[0 if singly else -1] for places in chosen]]


def _pick_places(group: Sequence[Twin]) -> list[Twin]:
    first = group[0]
    if first.is_value:
        others = [twin for twin in group if twin.line != first.line and twin.is_near <= first.is_near]
    else:
        others = [twin for twin in group if not twin.is_value and twin.text != first.text]
    return [first, *others[: RUNS - 1]]
