"""An engine that goes away is nobody's verdict: boxes break as SandboxError, and later boxes open again."""

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import docker
import pytest
import pytest_asyncio

from crucible import parts
from crucible.errors import EngineMissing, SandboxError
from crucible.sandbox import Env, World
from crucible.settings import DockerSettings, Settings
from crucible.store.blobs import Blobs
from envs.images.base import load_bases
from tests.envs.second_engine import SecondEngine, second_engine
from tests.patience import HUNG

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.geteuid() != 0 or shutil.which("dockerd") is None, reason="needs root and dockerd for a second Docker engine"
    ),
]


@pytest_asyncio.fixture(scope="module")
async def engine(world: World) -> AsyncIterator[SecondEngine]:
    """An engine that may be killed, with the base image in it."""
    await world.prepare(Env())
    with second_engine([_base()]) as started:
        yield started


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
async def test_a_restart_in_the_middle_breaks_the_box_and_not_the_agent(
    how: signal.Signals, engine: SecondEngine, blobs: Blobs, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path, docker=DockerSettings(url=engine.url))
    async with parts.find("env", "docker").make(settings, blobs) as other:
        async with other.open(Env()) as box:
            running = asyncio.create_task(box.exec("sleep 9999", timeout=HUNG))
            await asyncio.sleep(1)
            await asyncio.to_thread(_restart, engine, how)
            with pytest.raises(SandboxError):
                await running
        async with other.open(Env()) as box:
            assert (await box.exec("echo back")).out == "back\n"


async def test_no_engine_is_one_clear_line(blobs: Blobs, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, docker=DockerSettings(url=f"unix://{tmp_path}/none.sock"))
    with pytest.raises(EngineMissing, match="does not answer") as caught:
        async with parts.find("env", "docker").make(settings, blobs):
            pass
    assert "crucible doctor" in caught.value.remedy


def _restart(engine: SecondEngine, how: signal.Signals) -> None:
    engine.stop(how)
    engine.start()


def _base() -> str:
    """Whichever base this machine has: pulled, or bootstrapped."""
    client = docker.from_env()
    base = load_bases()["debian"]
    present = [name for name in (base.image, base.tag) if client.images.list(name)]
    client.close()
    return present[0]
