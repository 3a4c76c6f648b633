"""Trajectories to verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crucible import parts
from crucible.cascade import Court, in_turn, judge, outcome, params_hash
from crucible.errors import Rejected, Undecided
from crucible.item import Claim, Item
from crucible.lookup import items
from crucible.model import Task, Trajectory, Verdict
from crucible.run import Run
from crucible.stages.drain import Step, Tally, drain
from crucible.stages.worlds import stagehands

QUEUE = "verify"


async def verify(run: Run, stale: bool = False) -> Tally:
    """Judge what waits; with `stale`, also what the present verifiers have not judged."""
    if stale:
        run.ledger.reopen(QUEUE, list(stale_ids(run)), states=("done", "error"))
    async with stagehands(run) as hands:

        async def work(claim: Claim) -> Sequence[Item]:
            trajectory = claim.item.record(Trajectory)
            task = task_of(run, trajectory)
            world, services = await hands.world(task.env.name), await hands.services()
            court = Court(world, run.blobs, services, run.ledger.verdict)
            verdicts: list[Verdict] = []
            async for verdict in judge(task, trajectory, court):
                run.ledger.keep_verdict(verdict)
                verdicts.append(verdict)
            if outcome(verdicts) == "error":
                raise Undecided(next((v.detail for v in verdicts if v.outcome == "error"), "the task has no checks"))
            return []

        return await drain(run, Step(QUEUE, work))


def stale_ids(run: Run) -> Iterator[str]:
    """The trajectories that lack a verdict by a verifier's present version and parameters."""
    for item in items(run.ledger, "trajectory"):
        trajectory = item.record(Trajectory)
        if not _is_judged(run, task_of(run, trajectory), trajectory):
            yield item.id


def task_of(run: Run, trajectory: Trajectory) -> Task:
    """The sound task of a trajectory."""
    item = run.ledger.get("task", trajectory.task_id)
    if item is None:
        raise Rejected("task_gone", trajectory.task_id)
    return item.record(Task)


def _is_judged(run: Run, task: Task, trajectory: Trajectory) -> bool:
    """By all that would be asked: those behind a failed gate would not."""
    for check in in_turn(task):
        part = parts.find("verifier", check.verifier)
        verdict = run.ledger.verdict(trajectory.digest, part.name, part.version, params_hash(check))
        if verdict is None or verdict.outcome == "error":
            return False
        if verdict.outcome == "fail" and part.gate:
            return True
    return True
