"""Drafts to sound tasks, each with its proof beside it. Variants share a proof, or why there is none: no box is opened
for them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from crucible.acting import Stops
from crucible.errors import Rejected
from crucible.judging.cascade import Judging
from crucible.judging.player_boxes import open_player_boxes
from crucible.judging.soundness import Proven, count_boxes, proof_key, prove, share_proof
from crucible.model import Agent, Task, Trajectory
from crucible.proving import NOUN, Proof
from crucible.record import Record
from crucible.running.run import Run
from crucible.settings import SoundnessSettings
from crucible.stages.attempt import attempt_in_box
from crucible.stages.drain import StageWork, Tally, drain
from crucible.stages.services import OpenServices, open_services
from crucible.store.item import Claim, Item
from crucible.store.memory import LedgerMemory
from crucible.store.threads import in_thread

QUEUE = "validate"
VARIANTS_IN_HAND = 4
"""Variants of a task come one after the other, and wait for the proof of the first: so many are taken at once for each
proof, or those who wait would keep the next task from being proven beside it."""
PROBE_STOPS = Stops(steps=30, seconds=1200)


async def validate(run: Run) -> Tally:
    """Prove every draft, or say why it cannot be proven."""
    memory = LedgerMemory(run.ledger)
    slots = asyncio.Semaphore(run.settings.limits.boxes)
    async with open_services(run) as opened:

        async def work(claim: Claim) -> Sequence[Item]:
            task, options = claim.item.record(Task), run.settings.soundness
            key = proof_key(task, options.repeats, options.probes, opened.identity, options.mutants)
            # of variants that come at once, the first is proven and the others share it; who waits holds no slot
            async with memory.alone(key), slots:
                sound, proof = await _prove_once(run, opened, memory, task, key)
            about = Item.of(NOUN, proof, id=f"{sound.id}-{NOUN}-{key[:8]}", pipeline=task.domain, parent=sound.id)
            return [Item.of("task", sound, pipeline=task.domain, parent=claim.item.id), about]

        return await drain(run, StageWork(QUEUE, work, take_notes=memory.take_notes, in_hand=VARIANTS_IN_HAND))


async def _prove_once(run: Run, opened: OpenServices, memory: LedgerMemory, task: Task, key: str) -> Proven:
    """The task with its proof, or with that of a variant that came before. What one is rejected for all are: a variant
    that happens to pass is not more sound than one that did not."""
    known = await in_thread(memory.recall_all, [_memo(key), _fault_memo(key)])
    if _fault_memo(key) in known:
        fault = Unsound.model_validate_json(known[_fault_memo(key)])
        raise Rejected(fault.reason, f"{fault.detail} (seen on {fault.task_id}, a variant of it)")
    if _memo(key) in known:
        return share_proof(task, Proof.model_validate_json(known[_memo(key)]))
    try:
        proven = await prove_task(run, opened, task, run.settings.soundness)
    except Rejected as fault:
        unsound = Unsound(task_id=task.id, reason=fault.reason, detail=fault.detail)
        memory.remember(_fault_memo(key), unsound.model_dump_json())
        raise
    memory.remember(_memo(key), proven.proof.model_dump_json())
    return proven


async def prove_task(run: Run, opened: OpenServices, task: Task, options: SoundnessSettings) -> Proven:
    """Play the task's plan in boxes. Rejected when the task is not sound."""
    world = await opened.world(task.env.name)
    await world.prepare(task.env, boxes=count_boxes(task, options.repeats, options.probes))

    async with open_player_boxes(world, task.env) as boxes:

        async def play(task: Task, agent: Agent) -> Trajectory:
            teacher = await opened.teacher(agent.teacher)
            return await boxes.play(
                lambda box: attempt_in_box(task, agent, teacher, box, run.blobs, PROBE_STOPS, opened)
            )

        judging = Judging(world, run.blobs, opened)
        proven = await prove(task, play, judging, options.repeats, options.probes, options.mutants)
    _require_score(proven.proof, options.least_mutation_score)
    return proven


def _require_score(proof: Proof, least: float) -> None:
    """Checks that do not notice spoilt work prove nothing."""
    if proof.mutation_score is not None and proof.mutation_score < least:
        missed = [mutant.name for found in proof.settled for mutant in found.mutants if not mutant.caught_by]
        raise Rejected("inadequate_checks", f"mutation score {proof.mutation_score}, missed: {', '.join(missed)}")


class Unsound(Record):
    """Why a task has no proof, for its variants."""

    task_id: str
    reason: str
    detail: str


def _memo(key: str) -> str:
    """Under which a proof is remembered."""
    return f"proof {key}"


def _fault_memo(key: str) -> str:
    """Under which it is remembered that there is none."""
    return f"unsound {key}"
