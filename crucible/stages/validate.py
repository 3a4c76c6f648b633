"""Drafts to sound tasks, each with its proof beside it. Variants share a proof: no box is opened for them."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.acting import Stops
from crucible.judging.cascade import Judging
from crucible.judging.soundness import Proven, count_boxes, proof_key, prove, share_proof
from crucible.model import Agent, Task, Trajectory
from crucible.proving import NOUN, Proof
from crucible.running.run import Run
from crucible.settings import SoundnessSettings
from crucible.stages.attempt import attempt
from crucible.stages.drain import StageWork, Tally, drain
from crucible.stages.services import OpenServices, open_services
from crucible.store.item import Claim, Item
from crucible.store.memory import LedgerMemory
from crucible.store.threads import in_thread

QUEUE = "validate"
PROBE_STOPS = Stops(steps=30, seconds=1200)


async def validate(run: Run) -> Tally:
    """Prove every draft, or say why it cannot be proven."""
    memory = LedgerMemory(run.ledger)
    async with open_services(run) as opened:

        async def work(claim: Claim) -> Sequence[Item]:
            task, options = claim.item.record(Task), run.settings.soundness
            key = proof_key(task, options.repeats, options.probes, opened.identity)
            async with memory.alone(key):  # of variants that come at once, the first is proven and the others share it
                known = await in_thread(memory.recall, _memo(key))
                if known is None:
                    sound, proof = await prove_task(run, opened, task, options)
                    memory.remember(_memo(key), proof.model_dump_json())
                else:
                    sound, proof = share_proof(task, Proof.model_validate_json(known))
            about = Item.of(NOUN, proof, id=f"{sound.id}-{NOUN}-{key[:8]}", pipeline=task.domain, parent=sound.id)
            return [Item.of("task", sound, pipeline=task.domain, parent=claim.item.id), about]

        return await drain(run, StageWork(QUEUE, work, take_notes=memory.take_notes))


async def prove_task(run: Run, opened: OpenServices, task: Task, options: SoundnessSettings) -> Proven:
    """Play the task's plan in boxes. Rejected when the task is not sound: a failed proof is nobody else's."""
    world = await opened.world(task.env.name)
    await world.prepare(task.env, boxes=count_boxes(task, options.repeats, options.probes))

    async def play(task: Task, agent: Agent) -> Trajectory:
        teacher = await opened.teacher(agent.teacher)
        return await attempt(task, agent, teacher, world, run.blobs, PROBE_STOPS, opened)

    return await prove(task, play, Judging(world, run.blobs, opened), options.repeats, options.probes)


def _memo(key: str) -> str:
    """Under which a proof is remembered."""
    return f"proof {key}"
