"""A cache of packages in a container of its own, shared by every process on this engine; its data outlive it.

It is joined to the network of the builds, so that whatever keeps them from this machine keeps the cache too. The first
process that needs it starts it, the last one that leaves removes it. Where it does not answer, builds go directly.
"""

from __future__ import annotations

import asyncio
import io
import logging
import tarfile
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker
from docker.errors import NotFound
from docker.types import Mount

from crucible.errors import CrucibleError, SandboxError
from crucible.sandbox import Recipe
from envs.engine import Engine
from envs.images.build import ImageBuilder
from envs.packages.settings import PackageSettings

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
BOX_FILES = ("squid.conf", "start.sh")
CACHE_LABEL = "crucible.packages"
"""The label on the cache's container."""
PORT = 3128
START_SECONDS = 60.0
"""How long the cache may take to answer after its start."""
ANSWER_SECONDS = 5.0
"""How long a running cache may take to accept a connection."""
CERTIFICATE = "/data/certificate.pem"


@dataclass(frozen=True)
class JoinedCache:
    """The cache, as builds in one network see it."""

    address: str
    certificate: bytes
    """What programs must trust to fetch through it over encrypted connections."""

    @property
    def url(self) -> str:
        return f"http://{self.address}:{PORT}"

    async def answers(self) -> bool:
        """Whether it takes connections."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                _, writer = await asyncio.open_connection(self.address, PORT)
        except (OSError, TimeoutError):
            return False
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        return True


class PackageCache:
    """Starts the cache, and joins it to networks."""

    def __init__(self, engine: Engine, builder: ImageBuilder, settings: PackageSettings) -> None:
        self._engine = engine
        self._builder = builder
        self._settings = settings
        self._name = f"{settings.volume}-cache"  # no two caches may write to one volume

    @asynccontextmanager
    async def join(self, network: str) -> AsyncIterator[JoinedCache]:
        """Have the cache in a network until the end of the block; SandboxError or RecipeError when it cannot be had."""
        api = self._engine.api
        await self._start(await self._builder.ensure_image(cache_recipe(), "/"), network)
        try:
            yield await self._wait_until_ready(network)
        finally:
            with suppress(NotFound, SandboxError):
                await self._engine.call(api.disconnect_container_from_network, self._name, network, force=True)
            with suppress(NotFound, SandboxError):
                await self._engine.call(sweep_cache, api)

    async def _start(self, image: str, network: str) -> None:
        """Start the container in the network, or join the running one to it."""
        api = self._engine.api
        facts = await self._inspect()
        if facts is not None and not facts["State"]["Running"]:
            await self._engine.call(api.remove_container, self._name, force=True)
            facts = None
        if facts is not None:
            await self._engine.call(api.connect_container_to_network, self._name, network)
            return
        mount = Mount(target="/data", source=self._settings.volume, type="volume")
        await self._engine.call(
            api.create_container,
            image,
            ["/bin/sh", "/opt/packages/start.sh", str(self._settings.disk_mb)],
            entrypoint="",
            name=self._name,
            user="proxy",
            working_dir="/",
            labels={CACHE_LABEL: ""},
            host_config=api.create_host_config(
                network_mode=network,
                cap_drop=["ALL"],
                security_opt=["no-new-privileges"],
                init=True,
                mem_limit=1 << 30,
                pids_limit=64,
                mounts=[mount],
            ),
        )
        await self._engine.call(api.start, self._name)

    async def _wait_until_ready(self, network: str) -> JoinedCache:
        """The cache once it takes connections."""
        facts = await self._inspect()
        address = facts["NetworkSettings"]["Networks"][network]["IPAddress"] if facts else ""
        joined = JoinedCache(address, b"")
        for _ in range(int(START_SECONDS / 0.2)):
            if address and await joined.answers():
                return JoinedCache(address, await self._engine.call(self._read_certificate))
            await asyncio.sleep(0.2)
        raise SandboxError("the package cache does not answer")

    def _read_certificate(self) -> bytes:
        """The certificate that the cache has made for itself."""
        stream, _ = self._engine.api.get_archive(self._name, CERTIFICATE)
        with tarfile.open(fileobj=io.BytesIO(b"".join(stream))) as archive:
            handle = archive.extractfile(archive.getmembers()[0])
            return handle.read() if handle else b""

    async def _inspect(self) -> dict[str, Any] | None:
        """What the engine tells of the container; None where there is none."""
        try:
            facts: dict[str, Any] = await self._engine.call(self._engine.api.inspect_container, self._name)
        except NotFound:
            return None
        return facts


@asynccontextmanager
async def join_if_possible(cache: PackageCache | None, network: str) -> AsyncIterator[JoinedCache | None]:
    """The cache in a network until the end of the block; None, and a warning, where it cannot be had."""
    if cache is None:
        yield None
        return
    joining = cache.join(network)
    try:
        joined = await joining.__aenter__()
    except (CrucibleError, NotFound) as fault:
        log.warning("builds go without the package cache: %s", fault)
        yield None
        return
    try:
        yield joined
    finally:
        await joining.__aexit__(None, None, None)


def cache_recipe() -> Recipe:
    """The image of the cache."""
    facts = tomllib.loads((HERE / "recipe.toml").read_text())
    files = {f"/opt/packages/{name}": (HERE / "box" / name).read_text() for name in BOX_FILES}
    return Recipe(files=files, **facts)


def sweep_cache(api: docker.APIClient, dry_run: bool = False) -> list[str]:
    """Remove the containers of caches that no network is left to; their volume stays. Returns one line for each."""
    swept: list[str] = []
    for row in api.containers(all=True, filters={"label": CACHE_LABEL}):
        if row["Names"] and not row["NetworkSettings"]["Networks"]:
            swept.append(f"box {row['Names'][0].lstrip('/')}")
            if not dry_run:
                api.remove_container(row["Id"], force=True)
    return swept
