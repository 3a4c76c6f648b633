"""The Docker world: opens boxes, keeps a few warm, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from docker.errors import ImageNotFound, NotFound
from docker.types import LogConfig, Ulimit

from crucible.errors import CrucibleError, SandboxError
from crucible.mining import BlobStore
from crucible.owner import me
from crucible.parts import env
from crucible.record import digest
from crucible.sandbox import Env, Limits, Recipe, Sandbox
from crucible.settings import Settings
from envs.docker import janitor
from envs.docker.box import Box
from envs.docker.engine import Engine, engine
from envs.docker.labels import fresh_name, mine
from envs.docker.networks import Link, link
from envs.docker.workspace import lay_patch
from envs.images.base import bases
from envs.images.build import Builder

log = logging.getLogger(__name__)


class DockerWorld:
    """Implements `crucible.sandbox.World`; made by `docker` below."""

    def __init__(self, held: Engine, builder: Builder, open_seconds: float, pool: int) -> None:
        self._engine = held
        self._builder = builder
        self._open_seconds = open_seconds
        self._pool = pool
        self._warm: dict[str, list[asyncio.Task[tuple[AsyncExitStack, Box]]]] = defaultdict(list)

    async def prepare(self, env: Env | None = None) -> str:
        """Build the image once, however many ask; without an env, the layers that most images share."""
        wanted = env or Env(recipe=Recipe(packages=bases()["debian"].usual))
        return await self._builder.image(wanted.recipe, wanted.workdir)

    @asynccontextmanager
    async def open(self, env: Env) -> AsyncIterator[Sandbox]:
        """A fresh box, from the warm ones if there is one."""
        image = await self.prepare(env)
        stack, box = await self._take(env, image)
        async with stack:
            self._refill(env, image)
            yield box

    async def warm(self, env: Env, count: int) -> None:
        """Open boxes ahead of their use, and wait until they are ready."""
        image = await self.prepare(env)
        kept = self._warm[digest(env)]
        kept += [asyncio.create_task(self._ready(env, image)) for _ in range(count - len(kept))]
        await asyncio.gather(*kept)

    async def sweep(self, keep: Collection[Env], dry_run: bool = False) -> list[str]:
        """Dead processes' boxes, networks and forks; then images over the disk budget."""
        swept = await self._engine.call(janitor.sweep, self._engine.api, dry_run=dry_run)
        return swept + await self._builder.collect(keep, dry_run)

    async def close(self) -> None:
        """Remove the warm boxes and whatever a cancelled call left under this process' name."""
        for opening in [task for kept in self._warm.values() for task in kept]:
            opening.cancel()
            with suppress(asyncio.CancelledError, CrucibleError):
                stack, _ = await opening
                await stack.aclose()
        with suppress(CrucibleError):
            await self._engine.call(janitor.sweep, self._engine.api, me().__eq__)

    async def _take(self, env: Env, image: str) -> tuple[AsyncExitStack, Box]:
        kept = self._warm[digest(env)]
        while kept:
            with suppress(CrucibleError):
                return await kept.pop(0)
        return await self._ready(env, image)

    def _refill(self, env: Env, image: str) -> None:
        kept = self._warm[digest(env)]
        if sum(map(len, self._warm.values())) < self._pool and not kept:
            kept.append(asyncio.create_task(self._ready(env, image)))

    async def _ready(self, env: Env, image: str) -> tuple[AsyncExitStack, Box]:
        """An open box and the stack that will close it, within the deadline."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self._open_seconds):
                    box = await stack.enter_async_context(self._box(env, image))
                    await lay_patch(box, env.patch)
            except TimeoutError:
                raise SandboxError(f"no box within {self._open_seconds:.0f} s") from None
            return stack.pop_all(), box

    @asynccontextmanager
    async def _box(self, env: Env, image: str) -> AsyncIterator[Box]:
        async with link(self._engine, env.network) as joined:
            box = Box(self._engine, fresh_name(), env, self._fork)
            try:
                await self._start(box, image, joined)
                yield box
            finally:
                box.release()
                await asyncio.shield(self._remove(box.container))

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
            raise SandboxError(f"the image {image} is gone: {missing.explanation}") from missing
        await box.attach()
        await self._engine.call(api.start, box.container)
        if joined.mode != "none":
            facts = await self._engine.call(api.inspect_container, box.container)
            box.address = facts["NetworkSettings"]["Networks"][joined.mode]["IPAddress"]

    async def _remove(self, container: str) -> None:
        with suppress(NotFound, SandboxError):  # what cannot be removed now is swept later by its label
            await self._engine.call(self._engine.api.remove_container, container, force=True, v=True)

    @asynccontextmanager
    async def _fork(self, box: Box) -> AsyncIterator[Sandbox]:
        """Freeze the box's files as an image, open a box from that, and drop the image at the end."""
        api = self._engine.api
        label = " ".join(f'{key}="{value}"' for key, value in mine().items())
        name = fresh_name()
        frozen = await self._engine.call(
            api.commit, box.container, repository="crucible/fork", tag=name, changes=[f"LABEL {label}"]
        )
        try:
            async with self._box(box.env, frozen["Id"]) as second:
                yield second
        finally:
            with suppress(NotFound, SandboxError):
                await asyncio.shield(self._engine.call(api.remove_image, frozen["Id"], force=True))


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
