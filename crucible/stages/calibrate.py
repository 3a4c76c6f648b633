"""Sound tasks to calibrations: how often a solver solves each, with the interval that so few attempts leave.

The attempts are ordinary ones, queued under the calibration's session: a run that was stopped goes on where it was, and
a second one with more attempts makes only those that are missing. Nothing edits a task: what was found is an item.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from crucible.facts import CALIBRATION, Calibration
from crucible.filters import parse_task_filter
from crucible.judging.judges import identify_by, required_judges
from crucible.judging.reading import score_attempts
from crucible.judging.task_facts import LedgerTaskFacts
from crucible.model import Task
from crucible.record import Json, Record, digest
from crucible.running.run import Run
from crucible.settings import CalibrationSettings
from crucible.stages.drain import Tally
from crucible.stages.rollout import plan_attempts, work_queue
from crucible.stages.verify import verify
from crucible.store.item import Item
from crucible.store.lookup import list_items
from crucible.store.threads import in_thread

SESSION = "calibration"
Z = 1.959964
"""Of the normal distribution, for 95 per cent."""


class CalibratedTask(Record):
    """One task, as the table shows it."""

    task: str
    passed: str
    pass_rate: float
    interval: str
    band: str


class Calibrated(Record):
    """What a calibration found."""

    solver: str
    session: str
    bands: dict[str, int]
    """How many tasks are in each band."""
    undecided: int = 0
    """Tasks without a judged attempt."""
    tasks: tuple[CalibratedTask, ...] = ()
    stages: tuple[Tally, ...] = ()


async def calibrate(
    run: Run,
    solver: str,
    attempts: int,
    where: str = "",
    session: str = SESSION,
    options: dict[str, Json] | None = None,
) -> Calibrated:
    """Let a solver attempt every task that a filter lets through so many times, and keep how often it succeeds."""
    is_wanted = parse_task_filter(where)
    await plan_attempts(run, solver, attempts, options=options, where=where, session=session)
    tallies = (await work_queue(run), await verify(run))

    def measure() -> list[Calibration | None]:
        tasks = (item.record(Task) for item in list_items(run.ledger, "task"))
        wanted = (task for task in tasks if is_wanted(task, LedgerTaskFacts(run.ledger, task.id)))
        return [_calibrate_task(run, task, solver, session) for task in wanted]

    found = await in_thread(measure)
    known = [each for each in found if each is not None]
    return Calibrated(
        solver=solver,
        session=session,
        bands=dict(sorted(Counter(each.band for each in known).items())),
        undecided=len(found) - len(known),
        tasks=tuple(_table_rows(known)),
        stages=tallies,
    )


def _calibrate_task(run: Run, task: Task, solver: str, session: str) -> Calibration | None:
    """What the session's judged attempts at a task come to, kept beside it; nothing without any."""
    group = f"{task.id}/{solver}/{session}"
    judges = required_judges(task, identify_by(run.settings))
    judged = [scored for scored in score_attempts(run.ledger, task.id, judges) if scored.group == group]
    if not judged:
        return None
    passed = sum(scored.accepted for scored in judged)
    low, high = wilson_interval(passed, len(judged))
    rate = passed / len(judged)
    found = Calibration(
        task_id=task.id,
        solver=solver,
        session=session,
        attempts=len(judged),
        passed=passed,
        pass_rate=rate,
        low=low,
        high=high,
        band=name_band(rate, run.settings.calibration),
    )
    run.ledger.put([Item.of(CALIBRATION, found, id=f"{task.id}-{CALIBRATION}-{digest(found)[:8]}", parent=task.id)])
    return found


def name_band(rate: float, bands: CalibrationSettings) -> str:
    """Which band a pass rate is in."""
    if rate <= bands.never:
        return "never"
    return "too_easy" if rate > bands.too_easy else "usable"


def wilson_interval(passed: int, attempts: int) -> tuple[float, float]:
    """Between which rates the true one lies, at 95 per cent: Wilson's interval, which holds for few attempts too."""
    rate = passed / attempts
    centre = rate + Z * Z / (2 * attempts)
    spread = Z * math.sqrt(rate * (1 - rate) / attempts + Z * Z / (4 * attempts * attempts))
    whole = 1 + Z * Z / attempts
    return round(max(0.0, (centre - spread) / whole), 4), round(min(1.0, (centre + spread) / whole), 4)


def _table_rows(found: list[Calibration]) -> Iterator[CalibratedTask]:
    for each in sorted(found, key=lambda one: (one.pass_rate, one.task_id)):
        yield CalibratedTask(
            task=each.task_id,
            passed=f"{each.passed} of {each.attempts}",
            pass_rate=round(each.pass_rate, 3),
            interval=f"{each.low:.2f} to {each.high:.2f}",
            band=each.band,
        )
