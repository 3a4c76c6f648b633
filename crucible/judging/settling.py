"""What is found out about a task's checks while it is proven, and becomes part of them: which altered tests its
reference fails, for one.

A verifier names the function that finds it out (`settle=`). It is called once the reference has passed. Its answer is
kept in the proof, so that tasks which share the proof share it too, and the task keeps its id.
"""

from __future__ import annotations

from collections.abc import Sequence

from crucible import parts
from crucible.judging.cascade import Judging, parse_params
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.judging.mutants import try_mutants
from crucible.model import Check, Task, Trajectory
from crucible.proving import Settled


async def settle_checks(task: Task, trajectory: Trajectory, judging: Judging, mutants: int) -> tuple[Settled, ...]:
    """What is found out about each of the task's checks; `trajectory` is work that passes them, and is spoilt in at
    most so many ways."""
    boxes = FreshBoxes(judging.world, task, trajectory, judging.blobs)
    settled = [await _settle_check(check, boxes) for check in task.checks]
    tried = await try_mutants(task, trajectory, judging, mutants)
    return tuple(
        found.model_copy(update={"mutants": tuple(mutant for at, mutant in tried if at == place)})
        for place, found in enumerate(settled)
    )


async def _settle_check(check: Check, boxes: FreshBoxes) -> Settled:
    part = parts.find("verifier", check.verifier)
    return await part.settle(parse_params(check, part), boxes) if part.settle else Settled()


def apply_settled(task: Task, settled: Sequence[Settled]) -> Task:
    """The task with what was found out about its checks. It keeps its id."""
    if not any(found.params for found in settled):
        return task
    checks = tuple(
        check.model_copy(update={"params": {**check.params, **found.params}})
        for check, found in zip(task.checks, settled, strict=True)
    )
    return task.model_copy(update={"checks": checks, "drafted": task.drafted or task.checks_hash})
