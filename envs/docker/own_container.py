"""A container of our own, which runs one command of ours as root, without a network, and is removed at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from docker.errors import NotFound
from docker.types import Mount

from crucible.errors import SandboxError
from envs.docker.labels import fresh_name, owner_labels
from envs.engine import Engine


@dataclass(frozen=True)
class OwnContainer:
    """A container that is made and not yet started: files may be laid in it."""

    engine: Engine
    name: str

    async def run(self) -> int:
        """Run its command to the end; returns the exit code."""
        await self.engine.call(self.engine.api.start, self.name)
        return int((await self.engine.call(self.engine.api.wait, self.name))["StatusCode"])


@asynccontextmanager
async def open_own_container(
    engine: Engine, image: str, command: Sequence[str], mount: Mount, capabilities: Sequence[str] = ()
) -> AsyncIterator[OwnContainer]:
    """The container, gone at the end of the block. SandboxError when its image is gone."""
    api, name = engine.api, fresh_name()
    host = api.create_host_config(
        network_mode="none",
        cap_drop=["ALL"],
        cap_add=list(capabilities),
        mounts=[mount],
        security_opt=["no-new-privileges"],
    )
    try:
        await engine.call(
            api.create_container,
            image,
            list(command),
            entrypoint="",
            name=name,
            user="0:0",
            working_dir="/",
            labels=owner_labels(engine),
            network_disabled=True,
            host_config=host,
        )
        yield OwnContainer(engine, name)
    except NotFound as missing:
        raise SandboxError(f"the image {image} is gone: {missing.explanation}") from missing
    finally:
        with suppress(NotFound, SandboxError):
            await asyncio.shield(engine.call(api.remove_container, name, force=True, v=True))
