"""The Docker world: opens boxes, keeps a few warm, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any

from docker.errors import ImageNotFound, NotFound
from docker.types import LogConfig, Ulimit

from crucible.errors import CrucibleError, SandboxError
from crucible.mining import BlobStore
from crucible.parts import env
from crucible.record import digest
from crucible.sandbox import Env, Limits, Recipe, Sandbox
from crucible.settings import Settings
from crucible.store.owner import current_owner
from envs.docker import janitor
from envs.docker.box import Box
from envs.docker.labels import fresh_name, mine
from envs.docker.networks import Link, link
from envs.docker.pool import Opened, Pool
from envs.docker.workspace import lay_patch
from envs.engine import Engine, engine
from envs.images.base import bases
from envs.images.build import Builder

log = logging.getLogger(__name__)


class DockerWorld:
    """Implements `crucible.sandbox.World`; made by `docker` below."""

    def __init__(self, held: Engine, builder: Builder, open_seconds: float, pool: int) -> None:
        self._engine = held
        self._builder = builder
        self._open_seconds = open_seconds
        self._pool = Pool(pool)

    async def prepare(self, env: Env | None = None, *, boxes: int = 0) -> str:
        """Build the image once, however many ask; without an env, the layers that most images share."""
        wanted = env or Env(recipe=Recipe(packages=bases()["debian"].usual))
        image = await self._builder.image(wanted.recipe, wanted.workdir)
        if boxes:
            self._pool.expect(digest(wanted), partial(self._ready, wanted, image), boxes)
        return image

    @asynccontextmanager
    async def open(self, env: Env) -> AsyncIterator[Sandbox]:
        """A fresh box, from the warm ones if there is one."""
        image = await self.prepare(env)
        of, fresh = digest(env), partial(self._ready, env, image)
        stack, box = await self._pool.take(of, fresh)
        async with stack:
            self._pool.refill(of, fresh)
            yield box

    async def warm(self, env: Env, count: int) -> None:
        """Open boxes ahead of their use, and wait until they are ready."""
        image = await self.prepare(env)
        await self._pool.warm(digest(env), partial(self._ready, env, image), count)

    async def sweep(self, keep: Collection[Env], dry_run: bool = False) -> list[str]:
        """Dead processes' boxes, networks and forks; then images over the disk budget."""
        swept = await self._engine.call(janitor.sweep, self._engine.api, dry_run=dry_run)
        return swept + await self._builder.collect(keep, dry_run)

    async def settle(self) -> None:
        """Wait until every box that was closed is gone."""
        await self._pool.settle()

    async def close(self) -> None:
        """Remove the warm boxes and whatever a cancelled call left under this process' name."""
        await self._pool.close()
        with suppress(CrucibleError):
            await self._engine.call(janitor.sweep, self._engine.api, current_owner().__eq__)

    async def _ready(self, env: Env, image: str, parent: Box | None = None) -> Opened:
        """An open box and the stack that will close it, within the deadline."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self._open_seconds):
                    box = await stack.enter_async_context(self._box(env, image, parent))
                    await lay_patch(box, env.patch)
            except TimeoutError:
                raise SandboxError(f"no box within {self._open_seconds:.0f} s") from None
            return stack.pop_all(), box

    @asynccontextmanager
    async def _box(self, env: Env, image: str, parent: Box | None = None) -> AsyncIterator[Box]:
        """A box. Its network can only go after it; otherwise nobody waits."""
        async with link(self._engine, env.network) as joined:
            box = Box(self._engine, fresh_name(), env, self._fork)
            try:
                await self._start(box, image, joined)
                yield box
            finally:
                box.release()
                leaving = self._pool.leave(self._remove(box))
                if parent:
                    parent.leaving.append(leaving)
                if joined.mode != "none":
                    await asyncio.shield(leaving)

    async def _start(self, box: Box, image: str, joined: Link) -> None:
        api = self._engine.api
        try:
            await self._engine.call(
                api.create_container,
                image,
                ["/bin/sh"],
                entrypoint="",
                name=box.container,
                user=box.env.recipe.user,
                working_dir=box.env.workdir,
                environment=joined.environment,
                stdin_open=True,
                labels=mine(),
                host_config=api.create_host_config(**_confined(box.env.limits, joined.mode)),
            )
        except (ImageNotFound, NotFound) as missing:
            self._builder.forget(image)
            raise SandboxError(f"the image {image} is gone: {missing.explanation}") from missing
        await box.attach()
        await self._engine.call(api.start, box.container)
        if joined.mode != "none":
            facts = await self._engine.call(api.inspect_container, box.container)
            box.address = facts["NetworkSettings"]["Networks"][joined.mode]["IPAddress"]

    async def _remove(self, box: Box) -> None:
        """Remove the container, and the images that were made of it once no fork stands on them."""
        api = self._engine.api
        with suppress(NotFound, SandboxError):  # what cannot be removed now is swept later by its label
            await self._engine.call(api.remove_container, box.container, force=True, v=True)
        await self._pool.drop(box.frozen.values())
        if box.leaving:
            await asyncio.wait(box.leaving)
        for image in box.frozen.values():
            with suppress(NotFound, SandboxError):
                await self._engine.call(api.remove_image, image, force=True)

    @asynccontextmanager
    async def _fork(self, box: Box) -> AsyncIterator[Sandbox]:
        """A box from the other's files. They are frozen once, however many boxes are forked of them unchanged. Who
        forks once will do so again: the next is opened meanwhile."""
        image = await self._frozen(box)
        fresh = partial(self._ready, box.env.model_copy(update={"patch": ""}), image, box)
        stack, second = await self._pool.take(image, fresh)
        async with stack:
            self._pool.expect(image, fresh, 1)
            yield second

    async def _frozen(self, box: Box) -> str:
        uses = box.uses
        if uses not in box.frozen:
            label = " ".join(f'{key}="{value}"' for key, value in mine().items())
            made = await self._engine.call(
                self._engine.api.commit,
                box.container,
                repository="crucible/fork",
                tag=fresh_name(),
                changes=[f"LABEL {label}"],
            )
            box.frozen[uses] = made["Id"]
        return box.frozen[uses]


def _confined(limits: Limits, network: str) -> dict[str, Any]:
    """What a container may not do, whoever is in it."""
    disk = limits.disk_mb << 20
    return {
        "network_mode": network,
        "init": True,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges"],
        "pids_limit": limits.pids,
        "mem_limit": limits.memory_mb << 20,
        "memswap_limit": limits.memory_mb << 20,
        "nano_cpus": int(limits.cpus * 1e9),
        "ulimits": [Ulimit(name="fsize", soft=disk, hard=disk), Ulimit(name="core", soft=0, hard=0)],
        "log_config": LogConfig(type="none"),  # otherwise the engine keeps every byte a box prints
    }


@env("docker")
@asynccontextmanager
async def docker(settings: Settings, blobs: BlobStore) -> AsyncIterator[DockerWorld]:
    """Boxes are Docker containers: no network, no capabilities, limits on everything."""
    options = settings.docker
    async with engine(options.url) as held:
        builder = Builder(held, blobs, settings)
        world = DockerWorld(held, builder, options.open_seconds, options.pool)
        try:
            yield world
        finally:
            await world.close()
