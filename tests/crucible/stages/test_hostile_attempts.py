"""Hostile attempts from box to verdict: each is contained, recorded, and fails for what it did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from crucible.acting import Stops
from crucible.model import Agent, Task, Trajectory, Verdict
from crucible.running.run import Run, open_run
from crucible.settings import DockerSettings, Settings
from crucible.stages.rollout import enqueue, work_queue
from crucible.stages.verify import verify
from crucible.store.item import Item
from crucible.store.lookup import list_items, trajectory_verdicts
from tests.crucible import toys

STOPS = Stops(seconds=20)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path, docker=DockerSettings(pool=0), stops=STOPS)) as opened:
        yield opened


async def judged(run: Run, *commands: str) -> tuple[Trajectory, Verdict]:
    """Let a scripted agent run the commands and submit; judge what it left."""
    limits = toys.ENV.limits.model_copy(update={"disk_mb": 60, "pids": 64, "memory_mb": 256})
    task: Task = toys.task("toy.state")
    task = task.model_copy(update={"env": task.env.model_copy(update={"limits": limits})})
    turns = [{"calls": [{"tool": "shell", "arguments": {"command": command}}]} for command in commands]
    turns.append({"calls": [{"tool": "submit", "arguments": {}}]})
    run.ledger.put([Item.of("task", task, pipeline="toy")])
    enqueue(run, [(task, Agent(scaffold="native", teacher="scripted", options={"turns": turns}))])
    assert (await work_queue(run)).errors == 0
    assert (await verify(run)).errors == 0
    (item,) = list_items(run.ledger, "trajectory")
    (verdict,) = trajectory_verdicts(run.ledger, item.id)
    return item.record(Trajectory), verdict


@pytest.mark.parametrize(
    "command",
    [
        "bomb() { bomb | bomb & }; bomb; sleep 3",
        "head -c 10G /dev/zero",
        "rm state; ln -s /etc/passwd state",
        "kill -9 -1",
        "python3 -c 'x = bytearray(1 << 32)'",
        "rm -rf .git; git init -q .; git add -A",
        "chmod 000 . state tests; chmod 777 /; rm -rf /workspace/* 2>/dev/null",
    ],
    ids=["fork-bomb", "flood", "symlink", "suicide", "memory", "new-history", "modes"],
)
async def test_it_fails_and_the_trajectory_is_kept(command: str, run: Run) -> None:
    trajectory, verdict = await judged(run, command)
    assert trajectory.ended == "submitted"
    assert (verdict.outcome, bool(verdict.detail)) == ("fail", True)


async def test_filling_the_disk_exhausts_the_box_and_fails(run: Run) -> None:
    trajectory, verdict = await judged(run, "for i in $(seq 900); do head -c 2M /dev/zero > f$i; sleep 0.02; done")
    assert trajectory.ended == "exhausted"
    assert "disk" in trajectory.detail
    assert verdict.outcome == "fail"
    assert "disk" in verdict.detail


async def test_an_endless_sleep_ends_with_the_attempts_time(run: Run) -> None:
    hasty = replace(run, settings=run.settings.model_copy(update={"stops": Stops(seconds=4)}))
    trajectory, verdict = await judged(hasty, "sleep infinity")
    assert trajectory.ended == "seconds"
    assert verdict.outcome == "fail"


async def test_a_daemon_that_mends_the_state_after_submitting_does_not_reach_the_grading_box(run: Run) -> None:
    daemon = "setsid sh -c 'sleep 1; while :; do echo fixed > /workspace/state; done' >/dev/null 2>&1 &"
    _, verdict = await judged(run, daemon)
    assert (verdict.outcome, verdict.criteria[0].evidence) == ("fail", "broken")


async def test_neither_the_reference_nor_the_fix_is_anywhere_in_the_box(run: Run) -> None:
    look = "grep -rIls '^+fixed' / --exclude-dir=proc --exclude-dir=sys 2>/dev/null; echo looked"
    history = "git rev-list --all --reflog --count; git fsck --unreachable; git stash list; git remote; echo looked"
    trajectory, verdict = await judged(run, look, history)
    seen = [observation.content for step in trajectory.steps for observation in step.observations]
    assert "/" not in seen[0].replace("looked", "")
    assert seen[1].split()[0] == "1" or "1\nlooked" in seen[1]
    assert verdict.outcome == "fail"
