"""Drafts to sound tasks."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.acting import Stops
from crucible.cascade import Court
from crucible.item import Claim, Item
from crucible.model import Agent, Task, Trajectory
from crucible.run import Run
from crucible.soundness import boxes, prove
from crucible.stages.attempt import attempt
from crucible.stages.drain import Step, Tally, drain
from crucible.stages.worlds import stagehands

QUEUE = "validate"
PROBE_STOPS = Stops(steps=30, seconds=300)


async def validate(run: Run) -> Tally:
    """Prove every draft, or say why it cannot be proven."""
    async with stagehands(run) as hands:

        async def work(claim: Claim) -> Sequence[Item]:
            task = claim.item.record(Task)
            world = await hands.world(task.env.name)
            options = run.settings.soundness
            await world.prepare(task.env, boxes=boxes(task, options.repeats, options.probes))

            async def play(task: Task, agent: Agent) -> Trajectory:
                teacher = await hands.teacher(agent.teacher)
                return await attempt(task, agent, teacher, world, run.blobs, PROBE_STOPS)

            court = Court(world, run.blobs, await hands.services())
            sound = await prove(task, play, court, options.repeats, options.probes)
            return [Item.of("task", sound, pipeline=task.domain, parent=claim.item.id)]

        return await drain(run, Step(QUEUE, work))
