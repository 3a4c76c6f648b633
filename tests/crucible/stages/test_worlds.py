"""Clean-up and set-up go over every world; one that is missing is told in a line and stops no other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crucible import parts
from crucible.errors import EngineMissing
from crucible.mining import BlobStore
from crucible.model import Task
from crucible.running.run import Run, open_run
from crucible.sandbox import Env
from crucible.settings import DockerSettings, Settings
from crucible.stages import collect_garbage, prepare
from crucible.store.item import Item
from tests.flows.toy import NoWorld

HERE = "tests.crucible.stages.test_worlds"


class Attic(NoWorld):
    """A world that tells which envs it was asked to keep."""

    async def sweep(self, keep: Collection[Env], dry_run: bool = False) -> list[str]:
        return [f"swept, but for {[env.workdir for env in keep]}"]


@parts.env("attic")
@asynccontextmanager
async def attic(settings: Settings, blobs: BlobStore) -> AsyncIterator[Attic]:
    """No machine."""
    yield Attic()


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """A run on a machine without a Docker engine."""
    docker = DockerSettings(url=f"unix://{tmp_path}/none.sock")
    with open_run(Settings(home=tmp_path, docker=docker)) as made:
        yield made


def _task(world: str, workdir: str) -> Task:
    return Task(domain="toy", kind="sum", instruction="?", env=Env(name=world, workdir=workdir), checks=())


async def test_every_world_is_swept_with_the_envs_of_its_own_tasks_and_a_missing_one_is_a_line(run: Run) -> None:
    tasks = [_task(f"{HERE}:attic", "/a"), _task("docker", "/b"), _task("nowhere-at-all", "/c")]
    run.ledger.put([Item.of("task", task, pipeline="toy") for task in tasks], "rollout")
    lines = await collect_garbage(run)
    assert "swept, but for ['/a']" in lines
    missing = [line for line in lines if "is left out" in line]
    assert [line.split("'")[1] for line in missing] == ["docker", "nowhere-at-all"]
    assert "does not answer" in missing[0]
    assert "has no env 'nowhere-at-all'" in missing[1]


async def test_setting_up_prepares_the_worlds_that_are_there(run: Run) -> None:
    lines = await prepare(run)
    assert "base image ready in 'attic': nowhere" in lines
    assert any(line.startswith("the world 'docker' is left out") for line in lines)


async def test_setting_up_fails_where_no_world_is_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    only = [parts.find("env", "docker")]
    monkeypatch.setattr(parts, "every", lambda kind: iter(only))
    with pytest.raises(EngineMissing):
        await prepare(run)
