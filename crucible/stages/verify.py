"""Trajectories to verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing

from crucible.errors import Rejected, Undecided
from crucible.judging.cascade import Judging, judge, overall_outcome
from crucible.judging.judges import Identify, identify_by, required_judges
from crucible.model import Task, Trajectory, Verdict
from crucible.running.run import Run
from crucible.stages.drain import StageWork, Tally, drain
from crucible.stages.services import open_services
from crucible.store.item import Claim, Item
from crucible.store.lookup import list_items
from crucible.store.threads import in_thread

QUEUE = "verify"


async def verify(run: Run, stale: bool = False) -> Tally:
    """Judge what waits; with `stale`, also what the present verifiers have not judged."""
    if stale:
        await in_thread(_reopen_stale, run)
    async with open_services(run) as opened:

        async def work(claim: Claim) -> Sequence[Item]:
            trajectory = claim.item.record(Trajectory)
            task = await in_thread(task_of, run, trajectory)
            judging = Judging(await opened.world(task.env.name), run.blobs, opened, run.ledger.verdict)
            await judge_attempt(task, trajectory, judging, run.ledger.keep_verdict)
            return []

        return await drain(run, StageWork(QUEUE, work))


async def judge_attempt(
    task: Task, trajectory: Trajectory, judging: Judging, keep: Callable[[Verdict], object] = lambda verdict: None
) -> list[Verdict]:
    """The verdicts on an attempt, each kept as soon as it is reached; Undecided where they leave its outcome open."""
    verdicts: list[Verdict] = []
    async with aclosing(judge(task, trajectory, judging)) as reached:
        async for verdict in reached:
            await in_thread(keep, verdict)
            verdicts.append(verdict)
    if overall_outcome(verdicts) == "error":
        raise Undecided(next((v.detail for v in verdicts if v.outcome == "error"), "the task has no checks"))
    return verdicts


def _reopen_stale(run: Run) -> None:
    run.ledger.reopen(QUEUE, list(stale_ids(run)), states=("done", "error"))


def stale_ids(run: Run) -> Iterator[str]:
    """The trajectories that lack a verdict by a verifier's present version, parameters and services."""
    identify = identify_by(run.settings)
    for item in list_items(run.ledger, "trajectory"):
        trajectory = item.record(Trajectory)
        if not _is_judged(run, task_of(run, trajectory), trajectory, identify):
            yield item.id


def task_of(run: Run, trajectory: Trajectory) -> Task:
    """The sound task of a trajectory."""
    item = run.ledger.get("task", trajectory.task_id)
    if item is None:
        raise Rejected("task_gone", trajectory.task_id)
    return item.record(Task)


def _is_judged(run: Run, task: Task, trajectory: Trajectory, identify: Identify) -> bool:
    """By all that would be asked: those behind a failed gate would not."""
    for who in required_judges(task, identify):
        verdict = run.ledger.verdict(trajectory.digest, *who[:4])
        if verdict is None or verdict.outcome == "error":
            return False
        if verdict.outcome == "fail" and who.gate:
            return True
    return True
