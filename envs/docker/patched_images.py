"""Images with a task's patch, or files of its commit, laid over them, made in a box that its agent never enters.

A patch that injects a bug holds the answer. Laid in the agent's own box it would stay readable: in the memory of the
shell, which has the agent's user. So it is laid in a box of its own, whose files become an image and whose processes
end; the agent's box is opened from that image. Further boxes of the task start with the patch in place.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress

from docker.errors import NotFound

from crucible.errors import SandboxError
from crucible.record import digest
from crucible.sandbox import Env
from envs.docker.box import Box
from envs.docker.box_plan import BoxPlan
from envs.docker.labels import fresh_name, owner_labels
from envs.docker.workspace import make_workspace
from envs.engine import Engine

KEPT_IMAGES = 32
"""So many patched images are kept while the world is open; more than the tasks that are worked on at once."""

OpenPlainBox = Callable[[BoxPlan, str], AbstractAsyncContextManager[Box]]
"""Opens a box from an image."""


class PatchedImages:
    """The patched images of one world. What is still there when the world closes goes by its owner's label."""

    def __init__(self, engine: Engine, open_box: OpenPlainBox) -> None:
        self._engine = engine
        self._open_box = open_box
        self._images: OrderedDict[str, str] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def ensure(self, env: Env, image: str) -> str:
        """The image with the env's patch, and files of its commit, laid over it; made once, however many ask."""
        files = {path: file.model_dump(mode="json") for path, file in env.files.items()}
        key = digest(image, env.patch, files, env.workdir, env.recipe.user, env.leaves)
        async with self._locks[key]:
            patched = self._images.pop(key, "") or await self._make(env, image)
            self._images[key] = patched  # the newest is the last to go
        await self._drop_oldest()
        return patched

    def forget(self, image: str) -> None:
        """Take the image for gone, as somebody has removed it."""
        for key in [key for key, made in self._images.items() if made == image]:
            del self._images[key]

    async def _make(self, env: Env, image: str) -> str:
        committed = env.files if env.leaves == "diff" else {}
        async with self._open_box(BoxPlan(env, files=committed), image) as box:
            await make_workspace(box, env.patch, tuple(committed))
            return await commit_container(self._engine, box.container)

    async def _drop_oldest(self) -> None:
        """Remove the images that were longest unused, beyond those that are kept."""
        while len(self._images) > KEPT_IMAGES:
            key, image = self._images.popitem(last=False)
            self._locks.pop(key, None)
            with suppress(NotFound, SandboxError):  # a box stands on it: the image goes when the world closes
                await self._engine.call(self._engine.api.remove_image, image)


async def commit_container(engine: Engine, container: str) -> str:
    """An image of the container's files, labelled as this process' own; returns its id."""
    label = " ".join(f'{key}="{value}"' for key, value in owner_labels(engine).items())
    committed = await engine.call(
        engine.api.commit, container, repository="crucible/fork", tag=fresh_name(), changes=[f"LABEL {label}"]
    )
    return str(committed["Id"])
