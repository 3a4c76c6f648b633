"""Real engines for every test: one Docker world and one blob store for the whole session."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from crucible import parts
from crucible.judging.soundness import Play
from crucible.model import Agent, Task, Trajectory
from crucible.running.run import open_run
from crucible.sandbox import Env, Recipe, World
from crucible.settings import DockerSettings, Settings
from crucible.stages.attempt import attempt
from crucible.stages.services import open_services
from crucible.store.blobs import Blobs


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests come first, those with most of them ahead: a long file that came last would keep one
    worker busy while the others have nothing left to do."""
    slow = Counter(item.path for item in items if item.get_closest_marker("slow"))
    items.sort(key=lambda item: -slow[item.path])


@pytest.fixture(scope="session", autouse=True)
def _interrupts_reach_started_processes() -> Iterator[None]:
    """A shell starts its background jobs with SIGINT ignored, and whatever they start inherits that: a test that
    interrupts a process would wait for ever. A handler of our own is not inherited, so processes begin as usual."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Defaults, with a home of the session's own and no warm boxes."""
    return Settings(home=tmp_path_factory.mktemp("home"), docker=DockerSettings(pool=0))


@pytest.fixture(scope="session")
def blobs(settings: Settings) -> Blobs:
    return Blobs(settings.blobs)


@pytest_asyncio.fixture(scope="session")
async def world(settings: Settings, blobs: Blobs) -> AsyncIterator[World]:
    """The Docker world. No engine, no tests: `make test` starts one."""
    async with parts.find("env", "docker").make(settings, blobs) as opened:
        yield opened


@pytest_asyncio.fixture
async def play(tmp_path_factory: pytest.TempPathFactory, world: World, blobs: Blobs) -> AsyncIterator[Play]:
    """Has an agent attempt a task, for proofs of soundness."""
    with open_run(Settings(home=tmp_path_factory.mktemp("run"))) as run:
        async with open_services(run) as opened:

            async def one(task: Task, agent: Agent) -> Trajectory:
                return await attempt(task, agent, await opened.teacher(agent.teacher), world, blobs)

            yield one


@pytest.fixture(scope="session")
def plain() -> Env:
    """The smallest env, whose layers set-up has made: Debian with git and Python."""
    return Env(recipe=Recipe(packages=("ca-certificates", "git", "python3", "python3-venv")))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
