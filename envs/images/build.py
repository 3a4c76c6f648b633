"""Builds the image of a recipe once: by tag, under a deadline, with the end of the log when it fails."""

from __future__ import annotations

import asyncio
import io
import logging
import os
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import docker

from crucible.datafile import words
from crucible.errors import CrucibleError, RecipeError, SandboxError
from crucible.mining import BlobStore
from crucible.record import digest
from crucible.sandbox import Env, Recipe
from crucible.settings import Settings
from envs.engine import Engine
from envs.images.base import base_image, host_certificates
from envs.images.collect import collect
from envs.images.dockerfile import FORMAT, RECIPE_LABEL, context, dockerfile
from envs.images.uses import note_use

log = logging.getLogger(__name__)

GRACE = 300
"""Seconds for what the recipe does not name: sending the files, packing the layers."""
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")


class Builder:
    """Recipes to images. One build per tag at a time; what exists is not built again."""

    def __init__(self, engine: Engine, blobs: BlobStore, settings: Settings) -> None:
        self._engine = engine
        self._blobs = blobs
        self._settings = settings
        self._one_at_a_time: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._builds = asyncio.Semaphore(settings.limits.builds)
        self._known: set[str] = set()

    async def image(self, recipe: Recipe, workdir: str) -> str:
        """The image's name; RecipeError when the recipe does not build."""
        name = image_name(recipe, workdir)
        async with self._one_at_a_time[name]:
            if name not in self._known and not await self._engine.has_image(name):
                async with self._builds:
                    await self._build(recipe, workdir, name)
            self._known.add(name)
        note_use(self._settings.home, name)
        return name

    def forget(self, name: str) -> None:
        """Somebody else has removed this image: whoever asks for it next has it built again."""
        self._known.discard(name)

    async def collect(self, keep: Collection[Env], dry_run: bool) -> list[str]:
        """Remove images until they fit the disk budget."""
        named = {image_name(env.recipe, env.workdir) for env in keep}
        budget = int(self._settings.docker.budget_gb * 1e9)
        return await self._engine.call(collect, self._engine.api, self._settings.home, budget, named, dry_run)

    async def _build(self, recipe: Recipe, workdir: str, name: str) -> None:
        log.info("building %s", name)
        base = await base_image(self._engine, self._settings, recipe.base)
        seconds = int(self._settings.docker.build_seconds)
        text = dockerfile(recipe, base, workdir, {RECIPE_LABEL: name.rpartition(":")[2]}, seconds)
        archives = {blob: await asyncio.to_thread(self._blobs.get, blob) for blob in recipe.archives.values()}
        sent = context(recipe, text, archives, host_certificates())
        try:
            async with asyncio.timeout(seconds * (1 + len(recipe.tools) + len(recipe.commands)) + GRACE):
                await self._engine.call(_build, self._engine.api, sent, name)
        except TimeoutError:
            raise RecipeError(f"the image was not built within {seconds} s a command") from None


def image_name(recipe: Recipe, workdir: str) -> str:
    """The name that this recipe's image has on every machine."""
    return f"crucible/env:{digest(FORMAT, recipe, workdir)[:20]}"


def _build(api: docker.APIClient, sent: bytes, name: str) -> None:
    arguments = {key: os.environ[key] for key in PROXIES if key in os.environ}
    output: Iterable[dict[str, Any]] = api.build(
        fileobj=io.BytesIO(sent),
        custom_context=True,
        tag=name,
        rm=True,
        forcerm=True,
        decode=True,
        buildargs=arguments,
        network_mode="host",
    )
    lines: list[str] = []
    for entry in output:
        lines = [*lines[-200:], entry.get("stream", "")]
        if "error" in entry:
            raise _fault(entry["error"].strip(), "".join(lines)[-4000:])


def _fault(error: str, log: str) -> CrucibleError:
    """A recipe that does not build is the item's fate; a network that is down is nobody's."""
    if error.endswith("code: 124"):
        return RecipeError(f"a command of the recipe did not end within its time: {error}", log)
    said = "\n".join(line for line in log.lower().splitlines() if not any(host in line for host in beside()))
    sign = next((sign for sign in outages() if sign.lower() in said), "")
    if sign and not any(script in said for script in scripts()):
        return SandboxError(f"the network failed while an image was built: {sign}")
    return RecipeError(f"the image does not build: {error}", log)


def beside() -> tuple[str, ...]:
    """Hosts of source code, without which most recipes do."""
    return words(Path(__file__).parent / "outages.toml", "beside")


def scripts() -> tuple[str, ...]:
    """What package managers print when a script of a package they have fetched fails."""
    return words(Path(__file__).parent / "outages.toml", "scripts")


def outages() -> tuple[str, ...]:
    """What package managers print when the network, and not the recipe, is at fault."""
    return words(Path(__file__).parent / "outages.toml", "signs")
