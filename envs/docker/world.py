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
from envs.docker.labels import OWNER_LABEL, fresh_name, owner_labels
from envs.docker.networks import Link, open_link, share_link
from envs.docker.patched_images import PatchedImages, commit_container
from envs.docker.pool import OpenedBox, Pool
from envs.engine import Engine, open_engine
from envs.images.base import load_bases
from envs.images.build import ImageBuilder

log = logging.getLogger(__name__)


class DockerWorld:
    """Implements `crucible.sandbox.World`; opened by `docker` below."""

    def __init__(self, engine: Engine, builder: ImageBuilder, open_seconds: float, pool: int) -> None:
        self._engine = engine
        self._builder = builder
        self._open_seconds = open_seconds
        self._pool = Pool(pool)
        self._patched = PatchedImages(engine, self._open_box)

    async def prepare(self, env: Env | None = None, *, boxes: int = 0) -> str:
        """Build the image once, however many ask; without an env, the layers that most images share."""
        prepared = env or Env(recipe=Recipe(packages=load_bases()["debian"].usual))
        image = await self._builder.ensure_image(prepared.recipe, prepared.workdir)
        if boxes:
            self._pool.expect(digest(prepared), partial(self._open_in_time, prepared, image), boxes)
        return image

    @asynccontextmanager
    async def open(self, env: Env) -> AsyncIterator[Sandbox]:
        """A fresh box, from the warm ones if there is one."""
        image = await self.prepare(env)
        kind, open_box = digest(env), partial(self._open_in_time, env, image)
        stack, box = await self._pool.take(kind, open_box)
        async with stack:
            self._pool.refill(kind, open_box)
            yield box

    @asynccontextmanager
    async def open_beside(self, box: Sandbox, env: Env) -> AsyncIterator[Sandbox]:
        """A fresh box in the network namespace of another."""
        if not isinstance(box, Box):
            raise SandboxError("only a box of this world can have another beside it")
        image = await self.prepare(env)
        stack, opened = await self._open_in_time(env, image, beside=box)
        async with stack:
            yield opened

    async def warm(self, env: Env, count: int) -> None:
        """Open boxes ahead of their use, and wait until they are ready."""
        image = await self.prepare(env)
        await self._pool.warm(digest(env), partial(self._open_in_time, env, image), count)

    async def sweep(self, keep: Collection[Env], dry_run: bool = False) -> list[str]:
        """Remove dead processes' boxes, networks and forks, then images over the disk budget; one line for each."""
        swept = await self._engine.call(janitor.sweep_engine, self._engine.api, dry_run=dry_run)
        return swept + await self._builder.collect(keep, dry_run)

    async def settle(self) -> None:
        """Wait until every box that was closed is gone."""
        await self._pool.wait_for_removals()

    async def close(self) -> None:
        """Remove the warm boxes and whatever a cancelled call left under this process' name."""
        await self._pool.close()
        with suppress(CrucibleError):
            await self._engine.call(janitor.sweep_engine, self._engine.api, current_owner().__eq__)

    async def _open_in_time(
        self, env: Env, image: str, parent: Box | None = None, beside: Box | None = None
    ) -> OpenedBox:
        """An open box and the stack that will close it, within the deadline."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self._open_seconds):
                    if env.patch:
                        image = await self._patched.ensure(env, image)
                    box = await stack.enter_async_context(self._open_box(env, image, parent, beside))
            except TimeoutError:
                raise SandboxError(f"no box within {self._open_seconds:.0f} s") from None
            return stack.pop_all(), box

    @asynccontextmanager
    async def _open_box(
        self, env: Env, image: str, parent: Box | None = None, beside: Box | None = None
    ) -> AsyncIterator[Box]:
        """A box, removed in the background at its end; a network must go after its box, which is then waited for."""
        link = share_link(beside.container) if beside else open_link(self._engine, env.networks.attempting)
        async with link as network:
            box = Box(self._engine, fresh_name(), env, self._open_fork)
            try:
                await self._start_container(box, image, network)
                yield box
            finally:
                box.release()
                removal = self._pool.start_removal(self._remove_box(box))
                if parent:
                    parent.fork_removals.append(removal)
                if network.has_address:
                    await asyncio.shield(removal)

    async def _start_container(self, box: Box, image: str, network: Link) -> None:
        """Create and start the box's container, and take hold of its shell."""
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
                environment=network.environment,
                stdin_open=True,
                labels=owner_labels(),
                host_config=api.create_host_config(**_container_limits(box.env.limits, network.mode)),
            )
        except (ImageNotFound, NotFound) as missing:
            self._builder.forget(image)
            self._patched.forget(image)
            raise SandboxError(f"the image {image} is gone: {missing.explanation}") from missing
        await box.attach()
        await self._engine.call(api.start, box.container)
        if network.has_address:
            facts = await self._engine.call(api.inspect_container, box.container)
            box.address = facts["NetworkSettings"]["Networks"][network.mode]["IPAddress"]

    async def _remove_box(self, box: Box) -> None:
        """Remove the container, and the images that were made of it once no fork stands on them."""
        api = self._engine.api
        self._engine.container_events.pop(box.container, None)
        with suppress(NotFound, SandboxError):  # what cannot be removed now is swept later by its label
            await self._engine.call(api.remove_container, box.container, force=True, v=True)
        await self._pool.drop(box.fork_images.values())
        if box.fork_removals:
            await asyncio.wait(box.fork_removals)
        for image in box.fork_images.values():
            with suppress(NotFound, SandboxError):
                await self._engine.call(api.remove_image, image, force=True)

    @asynccontextmanager
    async def _open_fork(self, box: Box) -> AsyncIterator[Sandbox]:
        """A second box from this one's files. The next fork is opened meanwhile: who forks once will fork again."""
        image = await self._fork_image(box)
        open_box = partial(self._open_in_time, box.env.model_copy(update={"patch": ""}), image, box)
        stack, fork = await self._pool.take(image, open_box)
        async with stack:
            self._pool.expect(image, open_box, 1)
            yield fork

    async def _fork_image(self, box: Box) -> str:
        """An image of the box's files; made once, however many boxes are forked while the files are unchanged."""
        uses = box.uses
        if uses not in box.fork_images:
            await box.check_disk()
            box.fork_images[uses] = await commit_container(self._engine, box.container)
        return box.fork_images[uses]


def _container_limits(limits: Limits, network: str) -> dict[str, Any]:
    """The engine's options that keep a container within its limits, whoever is in it."""
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
    async with open_engine(options.url, f"{OWNER_LABEL}={current_owner()}") as engine:
        builder = ImageBuilder(engine, blobs, settings)
        world = DockerWorld(engine, builder, options.open_seconds, options.pool)
        try:
            yield world
        finally:
            await world.close()
