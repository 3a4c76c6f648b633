"""The engine goes away in the middle of a run: what it took down is tried again, and nothing fails for it."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from contextlib import closing
from pathlib import Path

import docker
import pytest

from crucible.model import Agent
from crucible.running.run import open_run
from crucible.sandbox import World
from crucible.settings import DockerSettings, Settings
from crucible.stages.drain import Tally
from crucible.stages.rollout import enqueue, work_queue
from crucible.stages.verify import verify
from crucible.store.item import Item
from crucible.store.lookup import list_items, trajectory_verdicts
from tests.crucible import toys
from tests.envs.second_engine import second_engine
from tests.patience import wait_for

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.geteuid() != 0 or shutil.which("dockerd") is None, reason="needs root and dockerd for a second Docker engine"
    ),
]


async def test_attempts_cut_off_by_a_restart_are_made_again_and_judged(world: World, tmp_path: Path) -> None:
    image = await world.prepare(toys.ENV)
    mend = {"tool": "shell", "arguments": {"command": "sleep 8; echo fixed > state"}}
    turns = [{"calls": [mend]}, {"calls": [{"tool": "submit", "arguments": {}}]}]
    task = toys.task("toy.state")
    with second_engine([image]) as engine:
        settings = Settings(home=tmp_path, docker=DockerSettings(url=engine.url))
        with open_run(settings) as run:
            run.ledger.put([Item.of("task", task, pipeline="toy")])
            agents = [
                Agent(scaffold="native", teacher="scripted", options={"turns": turns}, seed=seed) for seed in (0, 1)
            ]
            enqueue(run, [(task, agent) for agent in agents])
            working = asyncio.create_task(work_queue(run))
            await wait_for(lambda: _runs(engine.url, "sleep 8"), "the attempts' command")
            engine.stop(signal.SIGKILL)
            await asyncio.to_thread(engine.start)
            tally: Tally = await working
            await verify(run)
            outcomes = [
                trajectory_verdicts(run.ledger, item.id)[0].outcome for item in list_items(run.ledger, "trajectory")
            ]
    assert tally.again >= 1
    assert (tally.done, tally.errors, tally.dropped) == (2, 0, 0)
    assert outcomes == ["pass", "pass"]


def _runs(url: str, command: str) -> bool:
    """Whether a box of the engine runs the command."""
    with closing(docker.DockerClient(base_url=url)) as client:
        return any(command in str(box.top()["Processes"]) for box in client.containers.list())
