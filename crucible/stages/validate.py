"""Drafts to sound tasks."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.acting import Stops
from crucible.judging.cascade import Judging
from crucible.judging.soundness import count_boxes, prove
from crucible.model import Agent, Task, Trajectory
from crucible.running.run import Run
from crucible.stages.attempt import attempt
from crucible.stages.drain import StageWork, Tally, drain
from crucible.stages.services import open_services
from crucible.store.item import Claim, Item

QUEUE = "validate"
PROBE_STOPS = Stops(steps=30, seconds=300)


async def validate(run: Run) -> Tally:
    """Prove every draft, or say why it cannot be proven."""
    async with open_services(run) as opened:

        async def work(claim: Claim) -> Sequence[Item]:
            task = claim.item.record(Task)
            world = await opened.world(task.env.name)
            options = run.settings.soundness
            await world.prepare(task.env, boxes=count_boxes(task, options.repeats, options.probes))

            async def play(task: Task, agent: Agent) -> Trajectory:
                teacher = await opened.teacher(agent.teacher)
                return await attempt(task, agent, teacher, world, run.blobs, PROBE_STOPS)

            judging = Judging(world, run.blobs, opened)
            sound = await prove(task, play, judging, options.repeats, options.probes)
            return [Item.of("task", sound, pipeline=task.domain, parent=claim.item.id)]

        return await drain(run, StageWork(QUEUE, work))
