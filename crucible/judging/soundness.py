"""No task without proof: the oracle passes, nop fails, both every time, and no cheat pays.

Each player attempts the task once, through the same tools as any agent; what it left is graded as often as
the settings say, each time in a fresh box. A probe that left nothing behind is nop under another name.
A few entries of a check that come and go with the oracle's work leave the task, which is then proven anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

from crucible import parts
from crucible.errors import Rejected
from crucible.judging.cascade import Judging, judge, overall_outcome
from crucible.judging.steadiness import Unsteady, drop_entries, fickle_entries, missed_entries
from crucible.model import Agent, Outcome, Task, Trajectory, Verdict
from crucible.record import Record

log = logging.getLogger(__name__)

Play = Callable[[Task, Agent], Awaitable[Trajectory]]
"""Plays one attempt."""

PROBES = "probe."
"""Teachers of this prefix cheat, each in one way."""


class Grading(Record):
    """The outcomes of one player's work over repeated gradings."""

    outcomes: tuple[Outcome, ...]
    why: str = ""
    """The first verdict that is not a pass, in one line."""
    missed: tuple[frozenset[str] | None, ...] = ()
    """For each grading the entries for which alone it failed."""


async def prove(task: Task, play: Play, judging: Judging, repeats: int, probes: bool = True) -> Task:
    """The task, proven sound. Rejected with the reason when it is not."""
    try:
        return await _prove_once(task, play, judging, repeats, probes)
    except Unsteady as unsteady:
        log.info("%s: proven anew without %s", task.id, ", ".join(sorted(unsteady.entries)))
        return await _prove_once(drop_entries(task, unsteady.entries), play, judging, repeats, probes)


async def _prove_once(task: Task, play: Play, judging: Judging, repeats: int, probes: bool) -> Task:
    cheats = probe_names(task.kind) if probes else []
    async with _play_all(task, play, ["oracle", "nop", *cheats]) as attempts:
        await _require_outcome(task, await attempts["oracle"], judging, repeats, "pass")
        idle = await attempts["nop"]
        await _require_outcome(task, idle, judging, repeats, "fail")
        for name in cheats:
            await _require_cheat_fails(task, await attempts[name], judging, idle)
    return task


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


def count_boxes(task: Task, repeats: int, probes: bool = True) -> int:
    """How many boxes a proof takes at least: one for each player and one for each grading of the first two."""
    return 2 + 2 * repeats + (len(probe_names(task.kind)) if probes else 0)


def probe_names(kind: str = "") -> list[str]:
    """The cheats that are tried on every task of a kind; all there are without one."""
    probes = [part for part in parts.every("teacher") if part.name.startswith(PROBES)]
    return [part.name for part in probes if not (kind and part.kinds) or kind in part.kinds]


async def _require_outcome(task: Task, trajectory: Trajectory, judging: Judging, repeats: int, want: Outcome) -> None:
    """The player's work must come out the same, as wanted, every time."""
    player = trajectory.agent.teacher
    grading = await _grade_repeatedly(task, trajectory, judging, repeats)
    tally = Counter(grading.outcomes)
    if want == "pass" and "fail" in tally:
        await _raise_if_unsteady(task, trajectory, judging, grading)
    if len(tally) > 1:
        raise Rejected("flaky", f"{player}: {dict(tally)} over {repeats} gradings: {grading.why}")
    if grading.outcomes[0] != want:
        verb = {"pass": "passes", "fail": "fails", "error": "undecided"}[grading.outcomes[0]]
        raise Rejected(f"{player}_{verb}", grading.why)


async def _raise_if_unsteady(task: Task, trajectory: Trajectory, judging: Judging, grading: Grading) -> None:
    """Say which entries of the checks come and go, if it is they alone: what failed is graded once more."""
    if None in grading.missed:
        return
    again = await _grade_repeatedly(task, trajectory, judging, 1)
    if entries := fickle_entries((*grading.missed, *again.missed)):
        raise Unsteady(grading.why, entries)


async def _require_cheat_fails(task: Task, trajectory: Trajectory, judging: Judging, idle: Trajectory) -> None:
    probe = trajectory.agent.teacher
    if trajectory.artifacts == idle.artifacts and trajectory.ended != "exhausted":
        log.debug("%s left nothing behind", probe)
        return
    grading = await _grade_repeatedly(task, trajectory, judging, 1)
    if "pass" in grading.outcomes:
        raise Rejected("cheatable", f"{probe} passes")


async def _grade_repeatedly(task: Task, trajectory: Trajectory, judging: Judging, repeats: int) -> Grading:
    """Grade again and again, past the cache. A broken box is no grade: it goes up."""
    outcomes: list[Outcome] = []
    lost: list[frozenset[str] | None] = []
    why = ""
    for _ in range(repeats):
        verdicts: list[Verdict] = [verdict async for verdict in judge(task, trajectory, judging)]
        outcomes.append(overall_outcome(verdicts))
        lost.append(missed_entries(verdicts, judging.blobs))
        if outcomes[-1] != "pass" and not why:
            why = next((f"{v.verifier}: {v.detail}" for v in verdicts if v.outcome != "pass"), "no check")
    return Grading(outcomes=tuple(outcomes), why=why, missed=tuple(lost))
