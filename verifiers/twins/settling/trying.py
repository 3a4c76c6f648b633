"""Runs sets of alterations over the reference, each in a box of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from crucible.domains.code.suite import Report
from crucible.domains.code.twins import Twin
from verifiers.trial import Trial
from verifiers.twins.copies.spreading import CopiedTest
from verifiers.twins.names import named_lines

MOST_REPAIRS = 3
"""How often a set is run at most until it compiles."""


@dataclass(frozen=True)
class TwinRun:
    """What was laid into a run, as far as it could be built, and what came of it."""

    draw: Sequence[Twin]
    report: Report
    seconds: float


async def run_draws(trial: Trial, draws: Sequence[Sequence[Twin]]) -> list[TwinRun]:
    """What each of these sets comes to, all at once, each in a box of its own."""
    runs = [asyncio.create_task(_run_until_built(trial, draw)) for draw in draws]
    await asyncio.gather(*runs, return_exceptions=True)  # none goes on where another one's box breaks
    return [run.result() for run in runs]


async def _run_until_built(trial: Trial, draw: Sequence[Twin]) -> TwinRun:
    """The run of this set, or of a part of it: an alteration that does not compile takes the others down."""
    for _ in range(MOST_REPAIRS):
        began = time.monotonic()
        report = (await trial.run_attempt_again(draw)).report
        if len(draw) < 2 or (report.complete and not report.broken):
            break
        draw = [twin for twin in draw if not isinstance(twin, CopiedTest)]
        draw = _leave_unbuilt(draw, report.log)
    return TwinRun(draw, report, time.monotonic() - began)


def _leave_unbuilt(draw: Sequence[Twin], log: str) -> Sequence[Twin]:
    """The set without the alterations whose lines the compiler complains about; half of it where it names none."""
    built = [twin for twin in draw if twin.line not in named_lines(twin.path, log)]
    return built if 0 < len(built) < len(draw) else draw[: len(draw) // 2]
