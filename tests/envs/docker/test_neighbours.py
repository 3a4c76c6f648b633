"""A box beside another is opened ahead where that was to be expected, and is never of a network that is gone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from crucible.sandbox import Env, Sandbox
from crucible.settings import DockerSettings, Settings
from crucible.store.blobs import Blobs
from envs.docker.pool import OFTEN
from envs.docker.world import DockerWorld, docker
from tests.patience import wait_for

NETWORK = "readlink /proc/self/ns/net"


@pytest_asyncio.fixture
async def pooled(tmp_path: Path) -> AsyncIterator[DockerWorld]:
    settings = Settings(home=tmp_path, docker=DockerSettings(pool=1))
    async with docker(settings, Blobs(tmp_path / "blobs")) as opened:
        yield opened


class Marker:
    """Begins the use of boxes with a mark in each, and counts them."""

    def __init__(self) -> None:
        self.marked = 0

    async def begin(self, box: Sandbox) -> None:
        await box.exec("touch /tmp/mark")
        self.marked += 1


async def use(world: DockerWorld, env: Env, marker: Marker, command: str = "true") -> list[str]:
    """The networks of a box that is served from, after a command in it, and of the one beside it, which is marked."""
    async with world.open(env, phase="serving") as box:
        await box.exec(command)
        async with world.open_beside(box, env, begin=marker.begin) as other:
            assert (await other.exec("ls /tmp/mark")).ok
            return [(await each.exec(NETWORK)).out for each in (box, other)]


async def test_who_opened_a_box_beside_another_again_and_again_finds_it_open(pooled: DockerWorld, plain: Env) -> None:
    marker = Marker()
    for _ in range(OFTEN):
        await use(pooled, plain, marker)
    await wait_for(lambda: marker.marked == OFTEN + 1)
    async with pooled.open(plain, phase="serving") as box, pooled.open_beside(box, plain, begin=marker.begin) as other:
        assert (await box.exec(NETWORK)).out == (await other.exec(NETWORK)).out
        assert marker.marked == OFTEN + 1
        assert (await other.exec("ls /tmp/mark")).ok


async def test_a_box_that_was_restarted_gets_another_beside_it(pooled: DockerWorld, plain: Env) -> None:
    marker = Marker()
    for _ in range(OFTEN):
        await use(pooled, plain, marker)
    await wait_for(lambda: marker.marked == OFTEN + 1)
    one, other = await use(pooled, plain, marker, command="kill -9 $PPID; kill -9 -1")
    assert one == other


async def test_none_is_opened_ahead_after_one_that_nobody_asked_for(pooled: DockerWorld, plain: Env) -> None:
    marker = Marker()
    for _ in range(OFTEN):
        await use(pooled, plain, marker)
    for _ in range(OFTEN):
        async with pooled.open(plain, phase="serving") as box:
            await box.exec("true")
    await pooled.settle()
    assert marker.marked <= OFTEN + 2
