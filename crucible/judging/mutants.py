"""Tests of the checks themselves: good work is spoilt in one way after the other, and the criterion that is about it
must no longer be met.

Verifiers list the ways (`mutants=`), each a shell command. All are tried in one box: what runs is ended, the good work
is laid again, spoilt, and judged by the verifier that should notice. What was installed stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from crucible import parts
from crucible.errors import SandboxError, Undecided
from crucible.judging.box_sharing import GradingBox
from crucible.judging.cascade import Case, Judging, judge_case, parse_params
from crucible.judging.judges import used_services
from crucible.model import Criterion, Task, Trajectory
from crucible.part_kinds import Part
from crucible.proving import NOTHING_TO_SPOIL, Mutant, Mutation
from crucible.record import digest

GOOD = "/tmp/.crucible-good.tar"
INSTALLED = ("node_modules", ".venv")
"""What installing makes in the workdir: it takes longer than all the rest, and is the same for every mutant."""
LAY_GOOD = f"""
if [ -f {GOOD} ]; then
    find . -mindepth 1 -maxdepth 1 {" ".join(f"! -name {name}" for name in INSTALLED)} -exec rm -rf {{}} +
    tar -xf {GOOD}
else tar {" ".join(f"--exclude=./{name}" for name in INSTALLED)} -cf {GOOD} .; fi
"""
"""Lays the work as the attempt left it, also where it was spoilt since."""


class Plan(NamedTuple):
    """A mutation, and the check that must notice it."""

    place: int
    """Of the check among the task's."""
    part: Part
    mutation: Mutation


def list_mutations(task: Task, most: int) -> list[Plan]:
    """The ways in which the work at a task is spoilt; of many, so many are drawn for each task."""
    plans = [
        Plan(place, part, mutation)
        for place, check in enumerate(task.checks)
        for part in [parts.find("verifier", check.verifier)]
        for mutation in (part.mutants(parse_params(check, part)) if part.mutants else ())
    ]
    drawn = Random(digest(task.env, task.reference)).sample(plans, min(most, len(plans)))
    return [plan for plan in plans if plan in drawn]


async def try_mutants(task: Task, trajectory: Trajectory, judging: Judging, most: int) -> list[tuple[int, Mutant]]:
    """How each check did on the work of a trajectory that passes, spoilt: the check's place, and the mutant."""
    box = GradingBox(judging.world, task, trajectory, judging.blobs)
    try:
        plans = list_mutations(task, most)
        tried = [(plan.place, await _try_mutant(plan, task, trajectory, judging, box)) for plan in plans]
    finally:
        await box.aclose()
    return [(place, mutant) for place, mutant in tried if mutant is not None]


async def _try_mutant(
    plan: Plan, task: Task, trajectory: Trajectory, judging: Judging, box: GradingBox
) -> Mutant | None:
    """What came of one mutation; None where it does not apply."""
    await box.begin_anew()
    opened = await box.open(plan.part)
    if not (laid := await opened.exec(LAY_GOOD)).ok:
        raise SandboxError(f"good work cannot be laid again: {laid.err[-300:]}")
    done = await opened.exec(plan.mutation.command)
    if done.code == NOTHING_TO_SPOIL:
        return None
    if not done.ok:
        raise Undecided(f"the mutation '{plan.mutation.name}' does not work: {done.err[-300:]}")
    services = used_services(plan.part, judging.services.identity)
    check = task.checks[plan.place]
    narrowed = check.model_copy(update={"params": check.params | plan.mutation.params})
    notices = partial(_notices, plan.mutation)
    case = Case(task, trajectory, narrowed, plan.part, services, box, keeps_box=True, decides=notices)
    verdict = await judge_case(case, judging)
    caught_by = next((criterion.name for criterion in verdict.criteria if notices(criterion)), "")
    return Mutant(name=plan.mutation.name, verifier=plan.part.name, caught_by=caught_by)


def _notices(mutation: Mutation, criterion: Criterion) -> bool:
    """Whether a criterion is about a mutation and is not met."""
    about = not mutation.criteria or criterion.name.startswith(mutation.criteria)
    return about and not criterion.passed


def score_mutants(mutants: Sequence[Mutant]) -> float | None:
    """The share that was noticed; None where there are none."""
    return round(sum(bool(mutant.caught_by) for mutant in mutants) / len(mutants), 4) if mutants else None
