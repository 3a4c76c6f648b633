"""An accepted attempt at a terminal task goes into every format, and who is to be named goes along."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import pytest_asyncio

from crucible import parts
from crucible.errors import NothingToExport
from crucible.model import Task, Trajectory
from crucible.running.run import Run, open_run
from crucible.sandbox import World
from crucible.settings import Settings
from crucible.shards.manifest import Request
from crucible.stages import export, verify
from crucible.stages.rollout import WantedAttempts, plan_attempts, work_queue
from crucible.store.item import Item
from crucible.store.lookup import list_items
from tests.exporters import terminal

ATTRIBUTION = {
    "licence": "CC BY-SA 4.0 AND CC BY-SA 3.0",
    "author": "Asker, Answerer",
    "url": "https://unix.example.org/q/1",
    "commit": "2019-03-01T10:00:00.000/2013-01-01T10:00:00.000",
}
"""Licence version, authors, link and revisions of the thread."""
FORMATS = [part.name for part in parts.every("exporter")]
NOT_THEIRS = ("swe-bench", "trl-dpo")
"""A format for changes of repositories alone, and one of pairs, of which there is none."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path_factory.mktemp("terminal"))) as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def task(run: Run, world: World) -> Task:
    """A task that its reference has solved and a verifier has judged."""
    made = (await terminal.make_tasks(world, run.blobs))[0]
    run.ledger.put([Item.of("task", made, pipeline="terminal")])
    await plan_attempts(run, WantedAttempts(teacher="oracle"))
    await work_queue(run)
    await verify(run)
    return made


@pytest.mark.parametrize("format", FORMATS)
async def test_every_format_takes_a_terminal_attempt_and_names_its_authors(
    run: Run, task: Task, tmp_path: Path, format: str
) -> None:
    out = tmp_path / "out"
    if format in NOT_THEIRS:
        with pytest.raises(NothingToExport):
            await export(run, Request(format=format, authored=True), out)
        return
    done = await export(run, Request(format=format, authored=True), out)
    assert (done.counts.tasks, done.counts.trajectories) == (1, 1)
    [line] = pq.read_table(out / "lineage.parquet").to_pylist()
    assert {name: line[name] for name in ATTRIBUTION} == ATTRIBUTION
    card = (out / "README.md").read_text()
    assert ATTRIBUTION["licence"] in card
    counts = json.loads((out / "manifest.json").read_text())["counts"]
    assert counts["licences"] == {ATTRIBUTION["licence"]: 1}
    assert counts["authors"] == {ATTRIBUTION["author"]: 1}


async def test_the_attempt_that_was_exported_was_made_in_a_box(run: Run, task: Task) -> None:
    [attempt] = [item.record(Trajectory) for item in list_items(run.ledger, "trajectory")]
    assert (attempt.task_id, attempt.agent.teacher) == (task.id, "oracle")
    assert "solution.sh" in json.dumps([call.arguments for step in attempt.steps for call in step.calls])
