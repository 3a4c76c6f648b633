"""What a task that nobody solved is held to be: broken, or hard. Either with evidence.

Its reference is proven once more in fresh boxes: a task whose reference fails there is broken. So is one most of whose
attempts could not be judged. Whatever else was never solved is hard, and the more surely so where the same solver
passed the same checks with more hints.
"""

from __future__ import annotations

from collections.abc import Sequence

from crucible.errors import Rejected
from crucible.facts import Calibration
from crucible.judging.soundness import proof_key
from crucible.model import Task
from crucible.running.run import Run
from crucible.stages.services import OpenServices, open_services
from crucible.stages.validate import prove_task

PROVEN = "the reference passes again in a fresh box, and nothing done fails"


async def triage_unsolved(run: Run, measured: Sequence[tuple[Task, Calibration]]) -> dict[str, Calibration]:
    """The calibrations by their tasks' ids, each that is in the band `never` with its triage. Variants are proven
    once."""
    triaged = {task.id: each for task, each in measured}
    unsolved = [(task, each) for task, each in measured if each.band == "never"]
    if not unsolved:
        return triaged
    faults: dict[str, str] = {}
    async with open_services(run) as opened:
        options = run.settings.soundness
        keys = {
            task.id: proof_key(task, options.repeats, options.probes, opened.identity, options.mutants)
            for task, _ in measured
        }
        for task, each in unsolved:
            key = keys[task.id]
            if key not in faults:
                faults[key] = await _find_fault(run, opened, task)
            easier = [other for other in triaged.values() if keys[other.task_id] == key and other.passed]
            triaged[task.id] = _with_triage(each, faults[key], easier)
    return triaged


async def _find_fault(run: Run, opened: OpenServices, task: Task) -> str:
    """Why the task cannot be proven any more; empty when it can."""
    once = run.settings.soundness.model_copy(update={"repeats": 1, "probes": False})
    try:
        await prove_task(run, opened, task, once)
    except Rejected as fault:
        return f"its proof fails when it is repeated: {fault}"[:500]
    return ""


def _with_triage(each: Calibration, fault: str, easier: Sequence[Calibration]) -> Calibration:
    undecided = f"{each.errors} of {each.errors + each.attempts} attempts could not be judged"
    solved = [f"solved {other.passed} of {other.attempts} at hint level {other.hint_level}" for other in easier]
    if fault or each.errors > each.attempts:
        faults = tuple(filter(None, (fault, undecided if each.errors else "")))
        return each.model_copy(update={"triage": "broken", "evidence": faults})
    evidence = (PROVEN, *solved, *((undecided,) if each.errors else ()))
    return each.model_copy(update={"triage": "hard", "evidence": evidence})
