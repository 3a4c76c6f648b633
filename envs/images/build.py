"""Builds the image of a recipe once: by tag, under a deadline, with the end of the log when it fails."""

from __future__ import annotations

import asyncio
import io
import logging
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import docker

from crucible.datafile import read_words
from crucible.errors import CrucibleError, RecipeError, SandboxError
from crucible.mining import BlobStore
from crucible.record import digest
from crucible.sandbox import Env, Recipe
from crucible.settings import Settings
from envs.engine import Engine
from envs.images.base import ensure_base, host_certificates
from envs.images.collect import collect_images
from envs.images.dockerfile import RECIPE_FORMAT, RECIPE_LABEL, pack_context, render_dockerfile
from envs.images.link import BuildLink, OpenBuildLink, no_link
from envs.images.uses import note_use

log = logging.getLogger(__name__)

GRACE_SECONDS = 300
"""What a build is given beside the time of its commands: for sending the files and packing the layers."""


class ImageBuilder:
    """Makes images of recipes: one build of an image at a time; what exists is not built again."""

    def __init__(
        self, engine: Engine, blobs: BlobStore, settings: Settings, open_link: OpenBuildLink = no_link
    ) -> None:
        self._engine = engine
        self._blobs = blobs
        self._settings = settings
        self._open_link = open_link
        self._locks: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._builds = asyncio.Semaphore(settings.limits.builds)
        self._present: set[str] = set()

    async def ensure_image(self, recipe: Recipe, workdir: str) -> str:
        """The name of the recipe's image, built if it is not there; RecipeError when it does not build."""
        name = image_name(recipe, workdir)
        async with self._locks[name]:
            if name not in self._present and not await self._engine.has_image(name):
                async with self._builds:
                    await self._build(recipe, workdir, name)
            self._present.add(name)
        note_use(self._settings.home, name)
        return name

    def forget(self, name: str) -> None:
        """Take the image for gone, as somebody has removed it: whoever asks for it next has it built again."""
        self._present.discard(name)

    async def collect(self, keep: Collection[Env], dry_run: bool) -> list[str]:
        """Remove images until the rest fits the disk budget, never those of the envs to keep; one line for each."""
        names = {image_name(env.recipe, env.workdir) for env in keep}
        budget = int(self._settings.docker.budget_gb * 1e9)
        return await self._engine.call(collect_images, self._engine.api, self._settings.home, budget, names, dry_run)

    async def _build(self, recipe: Recipe, workdir: str, name: str) -> None:
        """Build the image, after its base, within the time of its commands."""
        log.info("building %s", name)
        base = await ensure_base(self._engine, self._settings, recipe.base)
        seconds = int(self._settings.docker.build_seconds)
        text = render_dockerfile(recipe, base, workdir, {RECIPE_LABEL: name.rpartition(":")[2]}, seconds)
        archives = {blob: await asyncio.to_thread(self._blobs.get, blob) for blob in recipe.archives.values()}
        link = await self._open_link() if recipe.network == "packages" else BuildLink()
        build_context = pack_context(recipe, text, archives, host_certificates() + link.certificates)
        try:
            async with asyncio.timeout(seconds * (1 + len(recipe.tools) + len(recipe.commands)) + GRACE_SECONDS):
                await self._run(build_context, name, link)
        except TimeoutError:
            raise RecipeError(f"the image was not built within {seconds} s a command") from None

    async def _run(self, build_context: bytes, name: str, link: BuildLink) -> None:
        """Have the engine build; what the package cache may be to blame for is built again without it."""
        try:
            await self._engine.call(_run_build, self._engine.api, build_context, name, link)
        except (SandboxError, RecipeError) as fault:
            if link.cache is None or (not _may_be_the_caches_fault(fault) and await link.cache.answers()):
                raise
            log.warning("building %s again without the package cache: %s", name, fault)
            await self._engine.call(_run_build, self._engine.api, build_context, name, link.cache.bypass)


def image_name(recipe: Recipe, workdir: str) -> str:
    """The name that this recipe's image has on every machine."""
    return f"crucible/env:{digest(RECIPE_FORMAT, recipe, workdir)[:20]}"


def _run_build(api: docker.APIClient, build_context: bytes, name: str, link: BuildLink) -> None:
    """Have the engine build an image from a packed context; a CrucibleError says why it could not."""
    output: Iterable[dict[str, Any]] = api.build(
        fileobj=io.BytesIO(build_context),
        custom_context=True,
        tag=name,
        rm=True,
        forcerm=True,
        decode=True,
        buildargs=dict(link.environment),
        network_mode=link.mode,
    )
    lines: list[str] = []
    for entry in output:
        lines = [*lines[-200:], entry.get("stream", "")]
        if "error" in entry:
            raise _build_error(entry["error"].strip(), "".join(lines)[-4000:])


def _build_error(error: str, log: str) -> CrucibleError:
    """RecipeError for a recipe that does not build; SandboxError, to be tried again, where the network was at fault."""
    if error.endswith("code: 124"):
        return RecipeError(f"a command of the recipe did not end within its time: {error}", log)
    printed = "\n".join(line for line in log.lower().splitlines() if not any(host in line for host in source_hosts()))
    sign = next((sign for sign in network_failures() if sign.lower() in printed), "")
    if sign and not any(script in printed for script in script_failures()):
        return SandboxError(f"the network failed while an image was built: {sign}")
    return RecipeError(f"the image does not build: {error}", log)


def _may_be_the_caches_fault(fault: SandboxError | RecipeError) -> bool:
    """Whether a build may have failed for going through the package cache, and not for its recipe."""
    if isinstance(fault, SandboxError):
        return True
    printed = "\n".join(line for line in fault.log.lower().splitlines() if not line.startswith("step "))
    return any(sign in printed for sign in cache_failures())


def cache_failures() -> tuple[str, ...]:
    """What programs print when a proxy, or the certificate it shows, is not to their liking; in small letters."""
    return read_words(Path(__file__).parent / "outages.toml", "cache")


def source_hosts() -> tuple[str, ...]:
    """Hosts of source code. One that does not answer is no sign that the network is down: most recipes need none."""
    return read_words(Path(__file__).parent / "outages.toml", "beside")


def script_failures() -> tuple[str, ...]:
    """What package managers print when a script of a package they have fetched fails."""
    return read_words(Path(__file__).parent / "outages.toml", "scripts")


def network_failures() -> tuple[str, ...]:
    """What package managers print when the network, and not the recipe, is at fault."""
    return read_words(Path(__file__).parent / "outages.toml", "signs")
