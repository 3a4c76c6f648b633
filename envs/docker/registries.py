"""The package registries that an image installs from, for boxes whose network is `packages`.

Nobody writes their hosts down: the image's own package managers are asked, in a box without network that no attempt
has been in. An image that is set up for a mirror reaches that mirror and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from urllib.parse import urlsplit

from crucible.record import digest
from crucible.sandbox import Env, Network, Sandbox
from envs.docker.box_plan import BoxPlan
from envs.images.build import ImageBuilder

ASK = """npm config get registry
if index=$(pip config get global.index-url); then echo "$index"
else python -c 'from pip._internal.models.index import PyPI; print(PyPI.url, "https://" + PyPI.file_storage_domain)'
fi"""
"""Prints addresses. Where pip keeps what it knows by itself, the index and the host of the files, has never changed."""

OpenBox = Callable[[BoxPlan, str], AbstractAsyncContextManager[Sandbox]]


class Registries:
    """Asks each recipe's image once."""

    def __init__(self, builder: ImageBuilder, open_box: OpenBox) -> None:
        self._builder = builder
        self._open_box = open_box
        self._known: dict[str, tuple[str, ...]] = {}
        self._asking = asyncio.Lock()

    async def resolve(self, network: Network, env: Env) -> Network:
        """The network with the hosts that `packages` stands for; any other as it is."""
        if network.mode != "packages":
            return network
        key = digest(env.recipe, env.workdir)
        async with self._asking:
            if key not in self._known:
                self._known[key] = await self._ask(env)
        return Network(mode="allow", hosts=(*self._known[key], *network.hosts))

    async def _ask(self, env: Env) -> tuple[str, ...]:
        image = await self._builder.ensure_image(env.recipe, env.workdir)
        bare = Env(recipe=env.recipe, workdir=env.workdir, limits=env.limits)
        async with self._open_box(BoxPlan(env=bare), image) as box:
            printed = (await box.exec(ASK)).out
        return tuple(sorted({host for word in printed.split() if (host := urlsplit(word).netloc)}))
