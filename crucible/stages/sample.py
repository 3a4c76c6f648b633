"""Sound tasks to a sample: drawn to a target of categories and difficulty, without what is too easy or broken.

Nothing edits a task: whether it was drawn is an item beside it, and `--where "draw.kept"` asks for it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from crucible.errors import SettingsError
from crucible.facts import DRAW, SAMPLE, Draw, Sample
from crucible.filters import parse_task_filter
from crucible.judging.task_facts import LedgerTaskFacts
from crucible.mining import Pipeline
from crucible.model import Task
from crucible.record import digest
from crucible.running.run import Run
from crucible.stages.drawing import Candidate, Target, count_rows, draw, read_target
from crucible.store.item import Item
from crucible.store.lookup import list_items
from crucible.store.threads import in_thread


async def sample(run: Run, pipeline: Pipeline, size: int, seed: int = 0, target: str = "", where: str = "") -> Sample:
    """Draw at most so many of a pipeline's tasks that a filter lets through."""
    named = target or pipeline.target
    if not named:
        raise SettingsError(f"the pipeline '{pipeline.name}' has no target", "name a file with --target")
    return await in_thread(_draw_tasks, run, pipeline.name, Path(named), size, seed, where)


def _draw_tasks(run: Run, pipeline: str, file: Path, size: int, seed: int, where: str) -> Sample:
    target, is_wanted = read_target(file), parse_task_filter(where)
    candidates: list[Candidate] = []
    unfit: dict[str, str] = {}
    for item in list_items(run.ledger, "task", pipeline=pipeline):
        task, facts = item.record(Task), LedgerTaskFacts(run.ledger, item.id)
        if not is_wanted(task, facts):
            continue
        candidates.append(_as_candidate(task, facts, target))
        known = facts.calibration
        if known is not None and (known.band == "too_easy" or known.triage == "broken"):
            unfit[task.id] = known.triage or known.band
    fit = [each for each in candidates if each.task_id not in unfit]
    fates = draw(fit, target, size, seed)
    made = Sample(
        pipeline=pipeline,
        target=str(file),
        seed=seed,
        size=size,
        drawn=sum(not why for why in fates.values()),
        left=dict(Counter(why for why in (fates | unfit).values() if why)),
        rows=count_rows(fit, fates, target, size),
    )
    _keep(run, made, candidates, fates | unfit)
    return made


def _as_candidate(task: Task, facts: LedgerTaskFacts, target: Target) -> Candidate:
    return Candidate(
        task_id=task.id,
        source=task.provenance.source or task.id,
        category=task.labels.get(target.label, ""),
        difficulty=target.difficulty_of(task, facts.calibration),
    )


def _keep(run: Run, made: Sample, candidates: list[Candidate], fates: dict[str, str]) -> None:
    """Write the sample and each task's fate in it, under numbers: what is drawn again is the newest again."""
    number = 1 + sum(1 for _ in list_items(run.ledger, SAMPLE))
    name = f"{SAMPLE}-{made.pipeline}-{number}-{digest(made)[:8]}"
    draws = [
        Draw(
            task_id=each.task_id,
            sample=name,
            category=each.category,
            difficulty=each.difficulty,
            kept=not fates[each.task_id],
            why=fates[each.task_id],
        )
        for each in candidates
    ]
    run.ledger.put([Item.of(SAMPLE, made, id=name, pipeline=made.pipeline)])
    run.ledger.put([Item.of(DRAW, each, id=f"{each.task_id}-{DRAW}-{number}", parent=each.task_id) for each in draws])
