"""Finds out, while a task is proven, which alterations of its tests the reference fails, and fails every time."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import Report, SuiteParams
from crucible.domains.code.twins import Twin
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.proving import Settled
from crucible.record import Json, digest
from verifiers.restoring import read_base_files
from verifiers.trial import Trial
from verifiers.twins.base_values import base_values_first
from verifiers.twins.drafting import draft_twins
from verifiers.twins.names import failing_first, hidden_first, is_in_test, name_failures, named_lines
from verifiers.twins.tree_files import read_test_files

RUNS = 2
"""How often the reference has to fail an alteration."""
MOST_DRAWS = 3
"""How many sets of alterations are tried at most."""
MOST_REPAIRS = 3
"""How often a set is run at most until it compiles."""
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
        before = (await trial.run_attempt(box)).report
    candidates = failing_first(hidden_first(params, drafted, base), before.log)
    candidates = base_values_first(candidates, {**params.tests, **params.inline}, before.log)
    found, why = await _try_candidates(trial, candidates, frozenset(before.outcomes))
    kept: list[Json] = [twin.model_dump(mode="json") for twin in keep_best(params, found)[:MOST_TWINS]]
    return Settled(params={"twins": kept, **added}, twins=len(kept), why="" if kept else why)


async def _try_candidates(trial: Trial, candidates: Sequence[Twin], known: frozenset[str]) -> tuple[list[Twin], str]:
    """Those that the reference fails, and why there are none: one of every test at once, then another one of each test
    for which none was found; a single one where nobody can tell whose the failures are. `known` are the tests that
    there are without alterations."""
    waiting = group_by_test(candidates)
    found: list[Twin] = []
    why = ""
    singly = False
    for _ in range(MOST_DRAWS):
        draw = [group[0] for group in waiting.values()][: 1 if singly else None]
        if not draw:
            break
        built, reports = await _run_until_built(trial, draw)
        hits = select_failing(trial.params, built, reports, known)
        found += hits
        why = next((report.why for report in reports if not report.complete), "no alteration makes a test fail")
        if not hits and len(draw) > 1 and _fails_somewhere(trial.params, reports):
            singly = True
            continue
        settled = group_by_test(twin for twin in hits if makes_new_test_fail(trial.params, twin))
        tried = group_by_test(draw)
        left = {test: group[1:] if test in tried else group for test, group in waiting.items()}
        waiting = {test: group for test, group in left.items() if group and test not in settled}
    return found, why


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


async def _run_until_built(trial: Trial, draw: Sequence[Twin]) -> tuple[Sequence[Twin], list[Report]]:
    """The reports of this set, or of a part of it: an alteration that does not compile takes the others down."""
    for _ in range(MOST_REPAIRS):
        reports = await _run_repeatedly(trial, draw)
        unbuilt = next((report for report in reports if report.broken or not report.complete), None)
        if unbuilt is None or len(draw) < 2:
            break
        draw = _leave_unbuilt(draw, unbuilt.log)
    return draw, reports


def _leave_unbuilt(draw: Sequence[Twin], log: str) -> Sequence[Twin]:
    """The set without the alterations whose lines the compiler complains about; half of it where it names none."""
    built = [twin for twin in draw if twin.line not in named_lines(twin.path, log)]
    return built if 0 < len(built) < len(draw) else draw[: len(draw) // 2]


async def _run_repeatedly(trial: Trial, draw: Sequence[Twin]) -> list[Report]:
    """The reports of several runs at once, each in a box of its own."""
    runs = [asyncio.create_task(trial.run_attempt_again(draw)) for _ in range(RUNS)]
    await asyncio.gather(*runs, return_exceptions=True)  # none goes on where another one's box breaks
    return [run.result().report for run in runs]


def select_failing(
    params: SuiteParams, draw: Sequence[Twin], reports: Sequence[Report], known: Collection[str] = ()
) -> list[Twin]:
    """The alterations in whose tests every report has a failure, each with the tests that fail. One that is named after
    what was altered fails under a name that is not `known`, and its own is gone."""
    if not all(report.complete for report in reports):
        return []
    wanted = [*params.fail_to_pass, *params.pass_to_pass]
    failing = [test for test in reports[0].outcomes if all(each.outcomes.get(test) == "failed" for each in reports)]
    gone = [test for test in wanted if not any(test in report.outcomes for report in reports)]
    named = name_failures(draw, [test for test in wanted if test in failing])
    missing: dict[Twin, tuple[str, ...]] = {}
    for twin in draw:
        new = [test for test in failing if test not in {*wanted, *known} and is_in_test(twin, test)]
        old = [test for test in gone if is_in_test(twin, test)]
        if not named[twin] and new and len(new) == len(old):
            named[twin], missing[twin] = tuple(new), tuple(old)
    found = [(twin, {"fails": tests, "gone": missing.get(twin, ())}) for twin, tests in named.items() if tests]
    return [twin.model_copy(update=update) for twin, update in found]
