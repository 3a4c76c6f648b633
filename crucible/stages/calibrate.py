"""Sound tasks to calibrations: how often a solver solves each, with the interval that so few attempts leave.

The attempts are ordinary ones, queued under the calibration's session: a run that was stopped goes on where it was, and
a second one with more attempts makes only those that are missing. Nothing edits a task: what was found is an item. What
is too easy, or broken, leaves the funnel here; a sample (`sample.py`) has none of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic import Field

from crucible.errors import Rejected
from crucible.facts import CALIBRATION, Calibration
from crucible.filters import parse_task_filter
from crucible.judging.intervals import wilson_interval
from crucible.judging.judges import identify_by, required_judges
from crucible.judging.reading import attempt_outcomes
from crucible.judging.task_facts import LedgerTaskFacts
from crucible.model import Task
from crucible.record import Json, Record, digest
from crucible.running.run import Run
from crucible.settings import CalibrationSettings
from crucible.stages.drain import StageWork, Tally, drain
from crucible.stages.rollout import WantedAttempts, plan_attempts, work_queue
from crucible.stages.triage import triage_unsolved
from crucible.stages.verify import verify
from crucible.store.item import Claim, Item
from crucible.store.lookup import list_items
from crucible.store.threads import in_thread

SESSION = "calibration"
QUEUE = "calibrate"


class CalibratedTask(Record):
    """One task, as the table shows it."""

    task: str
    passed: str
    pass_rate: float
    interval: str
    hints: int
    """The level of its hints: 1 tells the most."""
    band: str
    triage: str


class Calibrated(Record):
    """What a calibration found."""

    solver: str
    session: str
    bands: dict[str, int]
    """How many tasks are in each band."""
    triage: dict[str, int] = Field(default_factory=dict)
    """What those that were never solved are held to be."""
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
    wanted = WantedAttempts(teacher=solver, samples=attempts, options=options or {}, where=where, session=session)
    await plan_attempts(run, wanted)
    tallies = await _make_attempts(run, solver)

    def measure() -> list[tuple[Task, Calibration | None]]:
        tasks = (item.record(Task) for item in list_items(run.ledger, "task"))
        chosen = (task for task in tasks if is_wanted(task, LedgerTaskFacts(run.ledger, task.id)))
        return [(task, measure_task(run, task, solver, session)) for task in chosen]

    found = await in_thread(measure)
    measured = [(task, each) for task, each in found if each is not None]
    known = await triage_unsolved(run, measured)
    await _keep_calibrations(run, [(task, known[task.id]) for task, _ in measured])
    return Calibrated(
        solver=solver,
        session=session,
        bands=dict(sorted(Counter(each.band for each in known.values()).items())),
        triage=dict(sorted(Counter(each.triage for each in known.values() if each.triage).items())),
        undecided=len(found) - len(known),
        tasks=tuple(_table_rows(list(known.values()))),
        stages=tallies,
    )


async def _make_attempts(run: Run, solver: str) -> tuple[Tally, Tally]:
    """Make and judge what waits, with as many boxes at once as calibrations may have."""
    limits = run.settings.limits.model_copy(update={"boxes": run.settings.calibration.boxes})
    wide = replace(run, settings=run.settings.model_copy(update={"limits": limits}))
    return await work_queue(wide, solver), await verify(wide)


def measure_task(run: Run, task: Task, solver: str, session: str) -> Calibration | None:
    """What the session's judged attempts at a task come to; nothing without any."""
    group = f"{task.id}/{solver}/{session}"
    judges = required_judges(task, identify_by(run.settings))
    outcomes = [each.outcome for each in attempt_outcomes(run.ledger, task.id, judges) if each.group == group]
    judged = [outcome for outcome in outcomes if outcome != "error"]
    if not judged:
        return None
    passed, rate = judged.count("pass"), judged.count("pass") / len(judged)
    low, high = wilson_interval(passed, len(judged))
    return Calibration(
        task_id=task.id,
        solver=solver,
        session=session,
        attempts=len(judged),
        passed=passed,
        pass_rate=rate,
        low=low,
        high=high,
        band=name_band(rate, run.settings.calibration),
        errors=len(outcomes) - len(judged),
        hint_level=task.difficulty.hint_level,
        repair_rounds=task.difficulty.repair_rounds,
    )


async def _keep_calibrations(run: Run, found: Sequence[tuple[Task, Calibration]]) -> None:
    """Keep each beside its task. A task that is too easy, or broken, is dropped here, with its reason."""
    known = {task.id: each for task, each in found}
    items = [Item.of("task", task, pipeline=task.domain) for task, _ in found]
    await in_thread(run.ledger.put, items, QUEUE)
    await in_thread(run.ledger.reopen, QUEUE, list(known), ("done", "dropped", "error"))

    async def work(claim: Claim) -> Sequence[Item]:
        each = known.get(claim.item.id)
        if each is None:
            return []  # another calibration's, which was interrupted: it is measured again by whoever asks
        item = Item.of(CALIBRATION, each, id=f"{each.task_id}-{CALIBRATION}-{digest(each)[:8]}", parent=each.task_id)
        await in_thread(run.ledger.put, [item])
        if each.band == "too_easy":
            raise Rejected("too_easy", f"{each.solver} solves {each.passed} of {each.attempts}")
        if each.triage == "broken":
            raise Rejected("broken", "; ".join(each.evidence))
        return []

    await drain(run, StageWork(QUEUE, work))


def name_band(rate: float, bands: CalibrationSettings) -> str:
    """Which band a pass rate is in."""
    if rate <= bands.never:
        return "never"
    return "too_easy" if rate > bands.too_easy else "usable"


def _table_rows(found: list[Calibration]) -> Iterator[CalibratedTask]:
    for each in sorted(found, key=lambda one: (one.pass_rate, one.task_id)):
        yield CalibratedTask(
            task=each.task_id,
            passed=f"{each.passed} of {each.attempts}",
            pass_rate=round(each.pass_rate, 3),
            interval=f"{each.low:.2f} to {each.high:.2f}",
            hints=each.hint_level,
            band=each.band,
            triage=each.triage,
        )
