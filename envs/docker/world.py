"""The Docker world: opens boxes, keeps a few warm, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial

from docker.errors import ImageNotFound, NotFound
from docker.types import Mount

from crucible.errors import CrucibleError, SandboxError
from crucible.mining import BlobStore
from crucible.parts import env
from crucible.sandbox import Env, Phase, Recipe, Sandbox
from crucible.settings import Settings
from envs.docker import janitor
from envs.docker.bare_network import find_hosts_file
from envs.docker.box import Box
from envs.docker.box_plan import BoxPlan, container_limits, plan_box
from envs.docker.build_network import BuildNetwork
from envs.docker.contents import lay_contents, lay_deletions
from envs.docker.grader_tools import TRUSTED_SHELL, GraderTools
from envs.docker.labels import fresh_name, owner_labels
from envs.docker.networks import Link, open_link, share_link
from envs.docker.patched_images import PatchedImages, commit_container
from envs.docker.pool import OpenedBox, Pool
from envs.docker.registries import Registries
from envs.engine import Engine, open_engine
from envs.images.base import load_bases
from envs.images.build import ImageBuilder
from envs.packages.cache import PackageCache, sweep_cache
from envs.packages.settings import PackageSettings

log = logging.getLogger(__name__)


class DockerWorld:
    """Implements `crucible.sandbox.World`; opened by `docker` below."""

    def __init__(
        self,
        engine: Engine,
        builder: ImageBuilder,
        blobs: BlobStore,
        open_seconds: float,
        pool: int,
        hosts: Mount | None = None,
    ) -> None:
        self._engine = engine
        self._hosts = hosts
        self._builder = builder
        self._blobs = blobs
        self._tools = GraderTools(engine, builder)
        self._open_seconds = open_seconds
        self._pool = Pool(pool)
        self._patched = PatchedImages(engine, self._open_box)
        self._registries = Registries(builder, self._open_box)

    async def prepare(self, env: Env | None = None, *, boxes: int = 0) -> str:
        """Build the image once, however many ask; without an env, the layers that most images share."""
        prepared = env or Env(recipe=Recipe(packages=load_bases()["debian"].usual))
        image = await self._builder.ensure_image(prepared.recipe, prepared.workdir)
        if boxes:
            plan = plan_box(prepared, "attempting")
            self._pool.expect(plan.kind, partial(self._open_in_time, plan, image), boxes)
        return image

    @asynccontextmanager
    async def open(
        self, env: Env, *, phase: Phase = "attempting", remains: bytes | None = None
    ) -> AsyncIterator[Sandbox]:
        """A fresh box, from the warm ones if there is one; one with remains is always opened for the purpose."""
        image = await self.prepare(env)
        plan = plan_box(env, phase, remains)
        if plan.tools or remains is not None:
            await self._tools.mount()  # building them may take longer than opening a box may
        open_box = partial(self._open_in_time, plan, image)
        stack, box = await (open_box() if remains is not None else self._pool.take(plan.kind, open_box))
        async with stack:
            if remains is None:
                self._pool.refill(plan.kind, open_box)
            yield box

    @asynccontextmanager
    async def open_beside(self, box: Sandbox, env: Env) -> AsyncIterator[Sandbox]:
        """A fresh box in the network namespace of another."""
        if not isinstance(box, Box):
            raise SandboxError("only a box of this world can have another beside it")
        image = await self.prepare(env)
        stack, opened = await self._open_in_time(replace(plan_box(env, "attempting"), beside=box.container), image)
        async with stack:
            yield opened

    async def warm(self, env: Env, count: int) -> None:
        """Open boxes ahead of their use, and wait until they are ready."""
        image = await self.prepare(env)
        plan = plan_box(env, "attempting")
        await self._pool.warm(plan.kind, partial(self._open_in_time, plan, image), count)

    async def sweep(self, keep: Collection[Env], dry_run: bool = False) -> list[str]:
        """Remove dead processes' boxes, networks and forks, then images over the disk budget; one line for each."""
        swept = await self._engine.call(janitor.sweep_dead_owners, self._engine.api, dry_run=dry_run)
        swept += await self._engine.call(sweep_cache, self._engine.api, dry_run)
        return swept + await self._builder.collect(keep, dry_run)

    async def settle(self) -> None:
        """Wait until every box that was closed is gone."""
        await self._pool.wait_for_removals()

    async def close(self) -> None:
        """Remove the warm boxes and whatever a cancelled call left behind."""
        await self._pool.close()
        with suppress(CrucibleError):
            await self._engine.call(janitor.sweep_connection, self._engine.api, self._engine.token)

    async def _open_in_time(self, plan: BoxPlan, image: str, parent: Box | None = None) -> OpenedBox:
        """An open box and the stack that will close it, within the deadline."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self._open_seconds):
                    if plan.is_patched:
                        image = await self._patched.ensure(plan.env, image)
                    box = await stack.enter_async_context(self._open_box(plan, image, parent))
            except TimeoutError:
                raise SandboxError(f"no box within {self._open_seconds:.0f} s") from None
            return stack.pop_all(), box

    @asynccontextmanager
    async def _open_box(self, plan: BoxPlan, image: str, parent: Box | None = None) -> AsyncIterator[Box]:
        """A box, removed in the background at its end; a network must go after its box, which is then waited for."""
        tools = await self._tools.mount() if plan.tools else None
        reached = await self._registries.resolve(plan.network, plan.env)
        link = share_link(plan.beside) if plan.beside else open_link(self._engine, reached)
        async with link as network:
            box = Box(self._engine, fresh_name(), plan, self._open_fork)
            try:
                box.own_image = await lay_deletions(self._engine, image, plan.remains, self._tools)
                await self._create_container(box, box.own_image or image, network, tools)
                await lay_contents(self._engine, self._blobs, box.container, plan)
                await box.attach()
                await self._engine.call(self._engine.api.start, box.container)
                if network.has_address:
                    facts = await self._engine.call(self._engine.api.inspect_container, box.container)
                    box.address = facts["NetworkSettings"]["Networks"][network.mode]["IPAddress"]
                yield box
            finally:
                box.release()
                removal = self._pool.start_removal(self._remove_box(box))
                if parent:
                    parent.fork_removals.append(removal)
                if network.has_address:
                    await asyncio.shield(removal)

    async def _create_container(self, box: Box, image: str, network: Link, tools: Mount | None) -> None:
        """Make the box's container. One with the grader's tools is held by them, whatever the attempt made of `sh`."""
        api = self._engine.api
        limits = container_limits(box.env, network.mode)
        hosts = self._hosts if network.mode == "none" else None
        try:
            await self._engine.call(
                api.create_container,
                image,
                TRUSTED_SHELL if tools else ["/bin/sh"],
                entrypoint="",
                name=box.container,
                user="0:0" if tools else box.env.recipe.user,
                working_dir="/" if tools else box.env.workdir,
                environment=network.environment,
                stdin_open=True,
                labels=owner_labels(self._engine),
                network_disabled=hosts is not None,
                host_config=api.create_host_config(**limits, mounts=[mount for mount in (tools, hosts) if mount]),
            )
        except (ImageNotFound, NotFound) as missing:
            self._builder.forget(image)
            self._patched.forget(image)
            raise SandboxError(f"the image {image} is gone: {missing.explanation}") from missing

    async def _remove_box(self, box: Box) -> None:
        """Remove the container, and the images that were made of it once no fork stands on them."""
        api = self._engine.api
        self._engine.container_events.pop(box.container, None)
        with suppress(NotFound, SandboxError):  # what cannot be removed now is swept later by its label
            await self._engine.call(api.remove_container, box.container, force=True, v=True)
        await self._pool.drop(box.fork_images.values())
        if box.fork_removals:
            await asyncio.wait(box.fork_removals)
        for image in filter(None, (*box.fork_images.values(), box.own_image)):
            with suppress(NotFound, SandboxError):
                await self._engine.call(api.remove_image, image, force=True)

    @asynccontextmanager
    async def _open_fork(self, box: Box) -> AsyncIterator[Sandbox]:
        """A second box from this one's files. The next fork is opened meanwhile: who forks once will fork again."""
        image = await self._fork_image(box)
        open_box = partial(self._open_in_time, box.plan.of_fork(), image, box)
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


@env("docker")
@asynccontextmanager
async def docker(settings: Settings, blobs: BlobStore) -> AsyncIterator[DockerWorld]:
    """Boxes are Docker containers: no network, no capabilities, limits on everything."""
    options = settings.docker
    async with open_engine(options.url) as engine, aclosing(BuildNetwork(engine)) as network:
        chosen = settings.section(PackageSettings)
        if chosen.cache:
            plain_builder = ImageBuilder(engine, blobs, settings, network.direct_link)
            network.use_cache(PackageCache(engine, plain_builder, chosen))
        builder = ImageBuilder(engine, blobs, settings, network.link)
        hosts = await find_hosts_file(engine)
        world = DockerWorld(engine, builder, blobs, options.open_seconds, options.pool, hosts)
        try:
            yield world
        finally:
            await world.close()
