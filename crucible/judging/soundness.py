"""No task without proof: each player of the task's plan does what the plan says, every time, and no cheat pays.

Each player attempts the task once, through the same tools as any agent; what it left is graded as often as
the settings say, each time in a box that is fresh or to the byte as it was opened. A probe that left nothing behind is
nop under another name.
A few entries of a check that come and go with good work leave the task, which is then proven anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from random import Random
from typing import NamedTuple

from crucible import parts
from crucible.acting import knows_task
from crucible.errors import Rejected
from crucible.judging.box_sharing import GradingBox
from crucible.judging.cascade import Judging, judge, overall_outcome
from crucible.judging.judges import Identify, required_judges
from crucible.judging.mutants import list_mutations, score_mutants
from crucible.judging.settling import apply_settled, settle_checks
from crucible.judging.steadiness import Unsteady, drop_entries, fickle_entries, missed_entries
from crucible.model import Agent, Outcome, Task, Trajectory, Verdict
from crucible.part_kinds import Part
from crucible.proving import IDLE, Control, Played, Proof, Settled
from crucible.record import Record, digest

log = logging.getLogger(__name__)

Play = Callable[[Task, Agent], Awaitable[Trajectory]]
"""Plays one attempt."""

PROBES = "probe."
"""Teachers of this prefix cheat, each in one way."""
FRAMEWORK_CHEATS = 2
"""How many of the cheats that are made for a test framework are tried on one task: each takes two boxes."""


class Proven(NamedTuple):
    """A task, and the proof that it is sound."""

    task: Task
    proof: Proof


class Grading(Record):
    """The outcomes of one player's work over repeated gradings."""

    outcomes: tuple[Outcome, ...]
    why: str = ""
    """The first verdict that is not a pass, in one line."""
    missed: tuple[frozenset[str] | None, ...] = ()
    """For each grading the entries for which alone it failed."""

    def __add__(self, later: Grading) -> Grading:
        return Grading(
            outcomes=self.outcomes + later.outcomes, why=self.why or later.why, missed=self.missed + later.missed
        )


async def prove(
    task: Task, play: Play, judging: Judging, repeats: int, probes: bool = True, mutants: int = 0
) -> Proven:
    """The task, proven sound by its plan. Rejected with the reason when it is not."""
    dropped: frozenset[str] = frozenset()
    try:
        players, settled = await _play_plan(task, play, judging, repeats, probes, mutants)
    except Unsteady as unsteady:
        dropped = unsteady.entries
        log.info("%s: proven anew without %s", task.id, ", ".join(sorted(dropped)))
        players, settled = await _play_plan(drop_entries(task, dropped), play, judging, repeats, probes, mutants)
    judges = required_judges(task, judging.services.identity)
    plan = parts.find("proof", task.proven_by)
    proof = Proof(
        task_id=task.id,
        plan=plan.name,
        version=plan.version,
        key=proof_key(task, repeats, probes, judging.services.identity, mutants),
        repeats=repeats,
        players=tuple(players),
        probes=tuple(f"{part.name} v{part.version}" for part in list_probes(task) if probes),
        verifiers={judge.verifier: judge.version for judge in judges},
        dropped=tuple(sorted(dropped)),
        twins=sum(found.twins for found in settled),
        mutants=sum(len(found.mutants) for found in settled),
        mutation_score=score_mutants([mutant for found in settled for mutant in found.mutants]),
        settled=settled,
    )
    return share_proof(task, proof)


def share_proof(task: Task, proof: Proof) -> Proven:
    """The task, held to be sound by a proof with its own key. What left that task leaves this one, and what was found
    out about its checks is true of these."""
    sound = drop_entries(task, frozenset(proof.dropped)) if proof.dropped else task
    sound = apply_settled(sound, proof.settled)
    shared_from = "" if proof.task_id == task.id else proof.shared_from or proof.task_id
    return Proven(sound, proof.model_copy(update={"task_id": task.id, "shared_from": shared_from}))


def proof_key(task: Task, repeats: int, probes: bool, identify: Identify, mutants: int = 0) -> str:
    """The hash of all that a proof depends on: the place, the checks and who judges them, the reference, the plan,
    the cheats, the ways of spoiling the reference. The instruction is not among them: no player reads it."""
    plan = parts.find("proof", task.proven_by)
    cheats = [[part.name, part.version] for part in list_probes(task) if probes]
    spoilt = [plan.mutation.name for plan in list_mutations(task, mutants)]
    judges = [list(judge[:5]) for judge in required_judges(task, identify)]
    return digest(task.env, *task.checks, task.reference, judges, [plan.name, plan.version], cheats + spoilt, repeats)


def list_controls(task: Task, probes: bool = True) -> list[Control]:
    """Who plays the task: as its plan says, then the cheats."""
    cheats = [
        Control(player=part.name, want="fail", cheats=True, may_idle=True) for part in list_probes(task) if probes
    ]
    return [*parts.find("proof", task.proven_by).make(task), *cheats]


def list_probes(task: Task | None = None) -> list[Part]:
    """The cheats that are tried on a task, by its domain, kind and test framework; all there are without one. Of those
    that are made for certain frameworks a few are drawn for each task: over many tasks every one is tried often."""
    probes = [part for part in parts.every("teacher") if part.name.startswith(PROBES)]
    if task is None:
        return probes
    known = [part for part in probes if knows_task(part, task)]
    special = [part for part in known if part.runners]
    drawn = Random(digest(task.env, task.reference)).sample(special, min(FRAMEWORK_CHEATS, len(special)))
    return [part for part in known if not part.runners or part in drawn]


def count_boxes(task: Task, repeats: int, probes: bool = True) -> int:
    """How many boxes without remains a proof takes at least: one for each player and, where a diff is applied to such a
    box, one for each grading that is sure to happen. Players who leave no layer hand theirs on."""
    controls = list_controls(task, probes)
    if task.env.leaves == "layer":
        return sum(not control.may_idle for control in controls)
    gradings = repeats * sum(not control.may_idle for control in controls)
    return len(controls) + (gradings if task.env.leaves == "diff" else 0)


async def _play_plan(
    task: Task, play: Play, judging: Judging, repeats: int, probes: bool, mutants: int
) -> tuple[list[Played], tuple[Settled, ...]]:
    """What came of each player, and what was found out about the checks once the first good work had passed them."""
    settled: tuple[Settled, ...] = ()
    controls = list_controls(task, probes)
    players = [control.player for control in controls]
    played: list[Played] = []
    async with _play_all(task, play, players) as attempts:
        for control in controls:
            attempt = await attempts[control.player]
            idle = await attempts[IDLE] if control.may_idle and IDLE in attempts else None
            if idle is not None and attempt.artifacts == idle.artifacts and attempt.ended != "exhausted":
                played.append(Played(player=control.player, want=control.want))
                continue
            async with aclosing(GradingBox(judging.world, task, attempt, judging.blobs)) as box:
                grading = await _grade_repeatedly(task, attempt, judging, 1, box)
                if control.want == "pass" and grading.outcomes == ("pass",) and not settled:
                    settled = await settle_checks(task, attempt, judging, mutants)
                    task = apply_settled(task, settled)
                grading += await _grade_repeatedly(task, attempt, judging, 0 if control.cheats else repeats - 1, box)
            played.append(await _require_outcome(task, attempt, judging, control, grading))
    return played, settled


@asynccontextmanager
async def _play_all(
    task: Task, play: Play, players: Sequence[str]
) -> AsyncIterator[Mapping[str, Awaitable[Trajectory]]]:
    """The attempts by player, each in a box of its own, one after the other, while earlier ones are graded."""
    turn = asyncio.Lock()

    async def play_one(player: str) -> Trajectory:
        async with turn:
            return await play(task, Agent(scaffold="native", teacher=player))

    attempts = {player: asyncio.create_task(play_one(player)) for player in players}
    try:
        yield attempts
    finally:
        for attempt in attempts.values():
            attempt.cancel()
        await asyncio.gather(*attempts.values(), return_exceptions=True)


async def _require_outcome(
    task: Task, trajectory: Trajectory, judging: Judging, control: Control, grading: Grading
) -> Played:
    """The player's work must have come out the same, as wanted, every time."""
    for reason, detail in _list_faults(control, grading):
        if control.want == "pass" and "fail" in grading.outcomes:
            await _raise_if_unsteady(task, trajectory, judging, grading)
        raise Rejected(reason, detail)
    return Played(player=control.player, want=control.want, outcomes=grading.outcomes, why=grading.why)


def _list_faults(control: Control, grading: Grading) -> Iterator[tuple[str, str]]:
    """What is wrong with the outcomes, if anything: a reason code and its detail."""
    tally = Counter(grading.outcomes)
    if control.cheats:
        if "pass" in tally:
            yield "cheatable", f"{control.player} passes"
    elif len(tally) > 1:
        yield "flaky", f"{control.player}: {dict(tally)} over {tally.total()} gradings: {grading.why}"
    elif control.want not in tally:
        verb = {"pass": "passes", "fail": "fails", "error": "undecided"}[grading.outcomes[0]]
        yield f"{control.player}_{verb}", grading.why


async def _raise_if_unsteady(task: Task, trajectory: Trajectory, judging: Judging, grading: Grading) -> None:
    """Say which entries of the checks come and go, if it is they alone: what failed is graded once more."""
    if None in grading.missed:
        return
    async with aclosing(GradingBox(judging.world, task, trajectory, judging.blobs)) as box:
        again = await _grade_repeatedly(task, trajectory, judging, 1, box)
    if entries := fickle_entries((*grading.missed, *again.missed)):
        raise Unsteady(grading.why, entries)


async def _grade_repeatedly(
    task: Task, trajectory: Trajectory, judging: Judging, times: int, box: GradingBox
) -> Grading:
    """Grade again and again, past the cache, each time in a fresh box or in one that is as it was opened. A broken box
    is no grade: it goes up."""
    outcomes: list[Outcome] = []
    lost: list[frozenset[str] | None] = []
    why = ""
    for _ in range(times):
        await box.renew()
        async with aclosing(judge(task, trajectory, judging, box)) as reached:
            verdicts: list[Verdict] = [verdict async for verdict in reached]
        outcomes.append(overall_outcome(verdicts))
        lost.append(missed_entries(verdicts, judging.blobs))
        if outcomes[-1] != "pass" and not why:
            why = next((f"{v.verifier}: {v.detail}" for v in verdicts if v.outcome != "pass"), "no check")
    return Grading(outcomes=tuple(outcomes), why=why, missed=tuple(lost))
