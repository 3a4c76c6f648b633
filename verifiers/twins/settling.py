"""Finds out, while a task is proven, which alterations of its tests the reference fails, and fails every time."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import PurePosixPath

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import Report, SuiteParams
from crucible.domains.code.twins import Twin
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.proving import Settled
from crucible.record import Json, digest
from verifiers.restoring import read_base_files
from verifiers.trial import Trial
from verifiers.twins.drafting import draft_twins
from verifiers.twins.names import hidden_first, name_failures
from verifiers.twins.tree_files import read_test_files

RUNS = 2
"""How often the reference has to fail an alteration."""
ENOUGH = 2
"""With so many alterations no others are looked for."""
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
    files = {**params.tests, **params.inline}
    drafted = draft_twins(files, seed=digest(params))
    if not drafted:
        return Settled(why="no assertion in its tests can be altered", params={"twins": []})
    async with boxes.open_base() as box:
        base = await read_base_files(box, sorted({twin.path for twin in drafted}))
    candidates = hidden_first(params, drafted, base)
    trial = Trial(params.model_copy(update={"twins": ()}), boxes)
    found: list[Twin] = []
    why = ""
    for draw in list_draws(candidates):
        built, reports = await _run_until_built(trial, draw)
        found += select_failing(params, built, reports)
        why = next((report.why for report in reports if not report.complete), "no alteration makes a test fail")
        if len(found) >= ENOUGH:
            break
    kept: list[Json] = [twin.model_dump(mode="json") for twin in found[:MOST_TWINS]]
    return Settled(params={"twins": kept, **added}, twins=len(kept), why="" if kept else why)


def list_draws(candidates: Sequence[Twin]) -> Iterator[tuple[Twin, ...]]:
    """Sets of alterations: the first of every test, then the second, and so on."""
    columns = zip_longest(*group_by_test(candidates).values())
    for _, column in zip(range(MOST_DRAWS), columns, strict=False):
        yield tuple(twin for twin in column if twin is not None)


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
    built = [
        twin
        for twin in draw
        if not re.search(rf"{re.escape(PurePosixPath(twin.path).name)}\W{{1,3}}{twin.line}\b", log)
        # matches: shelf_test.go:12   ShelfTest.java:[12,9]   ShelfTest.cs(12,9)
    ]
    return built if 0 < len(built) < len(draw) else draw[: len(draw) // 2]


async def _run_repeatedly(trial: Trial, draw: Sequence[Twin]) -> list[Report]:
    """The reports of several runs at once, each in a box of its own."""
    runs = [asyncio.create_task(trial.run_attempt_again(draw)) for _ in range(RUNS)]
    await asyncio.gather(*runs, return_exceptions=True)  # none goes on where another one's box breaks
    return [run.result().report for run in runs]


def select_failing(params: SuiteParams, draw: Sequence[Twin], reports: Sequence[Report]) -> list[Twin]:
    """The alterations in whose tests every report has a failure, each with the tests that fail."""
    if not all(report.complete for report in reports):
        return []
    wanted = [*params.fail_to_pass, *params.pass_to_pass]
    failing = [test for test in wanted if all(report.outcomes.get(test) == "failed" for report in reports)]
    named = name_failures(draw, failing)
    return [twin.model_copy(update={"fails": tests}) for twin, tests in named.items() if tests]
