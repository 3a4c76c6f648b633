"""Boxes opened ahead of need: only where they will be wanted, never more than asked for, and none left behind."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack, closing
from functools import partial
from pathlib import Path
from typing import cast

from docker import from_env

from crucible.sandbox import Env
from crucible.settings import DockerSettings, Settings
from crucible.store.blobs import Blobs
from crucible.store.owner import current_owner
from envs.docker.box import Box
from envs.docker.labels import OWNER_LABEL
from envs.docker.pool import OFTEN, READY_PER_KIND, OpenedBox, Pool
from envs.docker.world import docker
from tests.patience import let_tasks_run


class Boxes:
    """Opens things that count themselves."""

    def __init__(self) -> None:
        self.opened: Counter[str] = Counter()
        self.closed: Counter[str] = Counter()

    async def open(self, kind: str) -> OpenedBox:
        self.opened[kind] += 1
        stack = AsyncExitStack()
        stack.callback(self.closed.update, [kind])
        return stack, cast(Box, object())

    async def use(self, pool: Pool, kind: str, times: int) -> None:
        for _ in range(times):
            stack, _box = await pool.take(kind, partial(self.open, kind))
            async with stack:
                pool.refill(kind, partial(self.open, kind))
                await asyncio.sleep(0)


async def test_a_box_is_opened_ahead_once_it_was_opened_often() -> None:
    pool, boxes = Pool(1), Boxes()
    await boxes.use(pool, "seldom", OFTEN - 1)
    assert boxes.opened["seldom"] == OFTEN - 1
    await boxes.use(pool, "often", OFTEN + 4)
    assert boxes.opened["often"] == OFTEN + 5
    await pool.close()
    assert boxes.closed == boxes.opened


async def test_what_is_expected_is_opened_ahead_from_the_first_and_no_further_than_was_said() -> None:
    pool, boxes = Pool(4), Boxes()
    pool.expect("proof", partial(boxes.open, "proof"), OFTEN - 1)
    await let_tasks_run()
    assert boxes.opened["proof"] == min(READY_PER_KIND, OFTEN - 1)
    await boxes.use(pool, "proof", OFTEN - 1)
    assert boxes.opened["proof"] == OFTEN - 1
    await pool.close()


async def test_only_the_first_of_a_kind_takes_the_room_of_another() -> None:
    pool, boxes = Pool(2), Boxes()
    for name in ("one", "two", "one", "two"):
        pool.expect(name, partial(boxes.open, name), 9)
    await let_tasks_run()
    assert boxes.opened == {"one": 2, "two": 1}
    assert boxes.closed == {"one": 1}
    await pool.close()
    assert boxes.closed == boxes.opened


async def test_the_oldest_makes_room_and_a_pool_of_none_opens_none() -> None:
    pool, none, boxes = Pool(1), Pool(0), Boxes()
    await boxes.use(pool, "first", OFTEN)
    await boxes.use(pool, "second", OFTEN)
    await let_tasks_run()
    assert boxes.closed["first"] == boxes.opened["first"] == OFTEN + 1
    await boxes.use(none, "third", OFTEN + 1)
    assert boxes.opened["third"] == OFTEN + 1
    await pool.close()
    assert boxes.closed == boxes.opened


async def test_no_container_is_left_when_the_world_closes(tmp_path: Path, plain: Env) -> None:
    settings, before = Settings(home=tmp_path, docker=DockerSettings(pool=1)), _own_containers()
    async with docker(settings, Blobs(str(tmp_path / "blobs"))) as world:
        for _ in range(OFTEN + 1):
            async with world.open(plain) as box:
                assert (await box.exec("true")).ok
        assert _own_containers() - before
    assert not _own_containers() - before


def _own_containers() -> set[str]:
    """This process' containers."""
    with closing(from_env()) as client:
        labelled = {"label": f"{OWNER_LABEL}={current_owner()}"}
        return {row["Id"] for row in client.api.containers(all=True, filters=labelled)}
