"""The grader's own tools: a static busybox on a volume of its own, mounted read-only where an attempt may have replaced
the shell and all else. An attempt that was root when it worked must not be asked by programs of its own making."""

from __future__ import annotations

import asyncio

from docker.errors import NotFound
from docker.types import Mount

from crucible.errors import RecipeError, SandboxError
from crucible.sandbox import Env, Phase, Recipe
from envs.docker.labels import fresh_name, owner_labels
from envs.engine import Engine
from envs.images.build import ImageBuilder, image_name

TOOLS = "/.crucible-tools"
"""Where the tools are mounted."""
RECIPE = Recipe(packages=("busybox-static",), user="root")
INSTALL = f"""new={TOOLS}/$(cat /etc/hostname)
cp /bin/busybox "$new" && mv "$new" {TOOLS}/busybox && {TOOLS}/busybox --install -s {TOOLS}"""
"""Puts the tools on the volume; another container may do so at the same time, or use them already."""
TRUSTED_SHELL = [f"{TOOLS}/busybox", "env", "-i", f"PATH={TOOLS}", "HOME=/", f"{TOOLS}/sh"]
"""A shell that finds these tools and nothing else."""


def are_needed(env: Env, phase: Phase) -> bool:
    """Whether what an attempt left in this env may stand where a grader looks for its tools."""
    return phase != "attempting" and (env.leaves == "layer" or env.recipe.user == "root")


class GraderTools:
    """The volume of one engine; filled when first asked for."""

    def __init__(self, engine: Engine, builder: ImageBuilder) -> None:
        self._engine = engine
        self._builder = builder
        self._filled = ""
        self._lock = asyncio.Lock()

    async def mount(self) -> Mount:
        """How a container gets the tools, where it cannot write to them."""
        async with self._lock:
            self._filled = self._filled or await self._fill()
        return Mount(TOOLS, self._filled, type="volume", read_only=True)

    async def _fill(self) -> str:
        """Put the tools on the volume, from an image that has them; returns its name."""
        try:
            image = await self._builder.ensure_image(RECIPE, "/")
        except RecipeError as missing:  # says nothing of the task that is to be graded
            raise SandboxError(f"the grader's tools cannot be had: {missing}") from missing
        volume = f"crucible-tools-{image_name(RECIPE, '/').rpartition(':')[2]}"
        mount = Mount(TOOLS, volume, type="volume")
        code = await run_to_end(self._engine, image, ["/bin/sh", "-ec", INSTALL], mount)
        if code:
            raise SandboxError(f"the grader's tools cannot be put on their volume: code {code}")
        return volume


async def run_to_end(engine: Engine, image: str, command: list[str], mount: Mount) -> int:
    """Run a command of ours as root in a container of its own; returns its exit code."""
    name = fresh_name()
    api = engine.api
    host = api.create_host_config(network_mode="none", cap_drop=["ALL"], mounts=[mount])
    try:
        await engine.call(
            api.create_container,
            image,
            command,
            entrypoint="",
            name=name,
            user="0:0",
            labels=owner_labels(engine),
            host_config=host,
        )
        await engine.call(api.start, name)
        return int((await engine.call(api.wait, name))["StatusCode"])
    except NotFound as missing:
        raise SandboxError(f"the image {image} is gone: {missing.explanation}") from missing
    finally:
        await engine.call(api.remove_container, name, force=True, v=True)
