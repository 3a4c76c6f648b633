"""The grader's own tools: a static busybox on a volume of its own, mounted read-only where an attempt may have replaced
the shell and all else. An attempt that was root when it worked must not be asked by programs of its own making."""

from __future__ import annotations

import asyncio

from docker.types import Mount

from crucible.errors import RecipeError, SandboxError
from crucible.sandbox import Env, Phase, Recipe
from envs.docker.own_container import open_own_container
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
        async with open_own_container(self._engine, image, ["/bin/sh", "-ec", INSTALL], mount) as container:
            code = await container.run()
        if code:
            raise SandboxError(f"the grader's tools cannot be put on their volume: code {code}")
        return volume
