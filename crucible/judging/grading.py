"""The fresh box an attempt is judged in: the task's own base plus what the attempt left, and nothing else of the agent.

No process comes along, and no git history of the agent's. A diff is applied by the shell of the fresh box; a layer and
files are laid by the world, before any process runs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from crucible.box_patch import apply_patch
from crucible.errors import Undecided
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.sandbox import Phase, Sandbox, World

NOTHING_TO_JUDGE = {
    "absent": "the attempt left none of what is asked for",
    "too_large": "the attempt left more than is kept",
    "lost": "the attempt made what it left unreadable",
}
"""What there is to say of an attempt with no remains, by what it left."""


def find_missing_remains(trajectory: Trajectory) -> Criterion | None:
    """The failed gate of an attempt that left nothing to judge, by its own doing; None when there is something. It is
    never judged as if it had done nothing. Who answers has left an answer."""
    if trajectory.ended == "exhausted":
        return Criterion(name="the attempt stays within its box", passed=False, evidence=trajectory.detail, gate=True)
    reason = NOTHING_TO_JUDGE.get(trajectory.left)
    if reason is None or (trajectory.left == "absent" and "answer" in trajectory.artifacts):
        return None
    evidence = f"{reason}: {trajectory.detail}" if trajectory.detail else reason
    return Criterion(name="the attempt leaves something to judge", passed=False, evidence=evidence, gate=True)


@asynccontextmanager
async def open_grading_box(
    world: World, task: Task, trajectory: Trajectory, blobs: BlobStore, *, phase: Phase = "grading"
) -> AsyncIterator[Sandbox]:
    """A fresh box with what the attempt left, for grading or for serving what it made. Undecided when its diff does not
    apply."""
    kept = trajectory.artifacts.get(task.env.leaves)
    remains = blobs.get(kept) if kept and task.env.leaves != "diff" else None
    async with world.open(task.env, phase=phase, remains=remains) as box:
        diff = read_diff(trajectory, blobs)
        if diff.strip():
            done = await apply_patch(box, diff, over_untracked=True)
            if not done.ok:
                raise Undecided(f"the attempt's diff does not apply to a fresh base: {done.err.strip()[-300:]}")
        yield box


def read_diff(trajectory: Trajectory, blobs: BlobStore) -> bytes:
    """What the attempt changed in its workdir, as a git diff; empty when it kept none."""
    digest = trajectory.artifacts.get("diff")
    return blobs.get(digest) if digest else b""
