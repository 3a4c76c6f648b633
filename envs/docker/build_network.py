"""The network of image builds: a way out to package indexes, and none to this machine or what stands beside it.

A recipe runs what a mined repository tells it to run. In the host's own network its install script would reach every
service on this machine's loopback. Here it reaches public addresses, the name servers, and the proxy by which this
machine itself goes out, if it has one.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from docker.errors import APIError, NotFound

from crucible.errors import SandboxError
from envs.docker import firewall
from envs.docker.labels import fresh_name, owner_labels
from envs.docker.relay import open_relay
from envs.engine import Engine
from envs.images.link import BuildLink, LinkedCache
from envs.packages.cache import PORT, JoinedCache, PackageCache, join_if_possible

log = logging.getLogger(__name__)

PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
"""Variables of this process that name a proxy; builds get them too, to reach package indexes as this machine does."""
BYPASS_VARIABLES = ("NO_PROXY", "no_proxy")
"""Variables that name hosts to be reached without the proxy."""
NO_PROXY = dict.fromkeys(BYPASS_VARIABLES, "localhost,127.0.0.1")
"""The bypass that goes with the package cache."""
RESOLVER_FILES = ("/etc/resolv.conf", "/run/systemd/resolve/resolv.conf")
"""Where the name servers are written that the engine asks on behalf of containers."""


class BuildNetwork:
    """One network for all builds of a world, made when the first of them asks."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._bridge = ""
        self._stack = AsyncExitStack()
        self._opening, self._joining = asyncio.Lock(), asyncio.Lock()
        self._link: BuildLink | None = None
        self._cache: PackageCache | None = None
        self._joined: JoinedCache | None = None

    def use_cache(self, cache: PackageCache) -> None:
        """Have builds go through a cache of packages, unless this machine itself goes out by a proxy."""
        self._cache = None if _find_proxies(os.environ) else cache

    async def direct_link(self) -> BuildLink:
        """How a build joins the network, without a cache."""
        async with self._opening:
            if self._link is not None:
                return self._link
            self._bridge, link = await self._stack.enter_async_context(_open_network(self._engine))
            self._link = link
            return link

    async def link(self) -> BuildLink:
        """How a build joins the network: by way of the package cache, if there is one and it answers."""
        direct = await self.direct_link()
        async with self._joining:
            if self._cache is not None:
                await self._join_cache(self._cache, direct.mode)
        if self._joined is None:
            return direct
        if not await self._joined.answers():
            log.warning("the package cache has gone: builds go without it")
            self._joined = None
            return direct
        # In both ways the engine is told of variables, and the certificates are the same: layers built in one way are
        # found again in the other.
        cache = LinkedCache(self._joined.answers, BuildLink(direct.mode, NO_PROXY, self._joined.certificate))
        through = dict.fromkeys(PROXY_VARIABLES, self._joined.url) | NO_PROXY
        return BuildLink(direct.mode, through, self._joined.certificate, cache)

    async def _join_cache(self, cache: PackageCache, network: str) -> None:
        """Have the cache in the network; it is tried once."""
        self._cache = None
        self._joined = await self._stack.enter_async_context(join_if_possible(cache, network))
        if self._joined is not None:
            await asyncio.to_thread(firewall.open_address, self._bridge, self._joined.address, PORT)

    async def aclose(self) -> None:
        """Remove the network, if it was ever made."""
        await self._stack.aclose()


@asynccontextmanager
async def _open_network(engine: Engine) -> AsyncIterator[tuple[str, BuildLink]]:
    """A bridge of our own, guarded by packet filters where they can be set, removed at the end of the block."""
    name = fresh_name()
    bridge = f"{firewall.BRIDGE_PREFIX}{name[-10:]}"
    created = await engine.call(
        engine.api.create_network,
        name,
        driver="bridge",
        labels=owner_labels(engine),
        options={"com.docker.network.bridge.name": bridge},
    )
    try:
        facts: dict[str, Any] = await engine.call(engine.api.inspect_network, created["Id"])
        gateway = facts["IPAM"]["Config"][0]["Gateway"].partition("/")[0]
        async with _relay_proxies(gateway) as (variables, ports):
            await _guard(bridge, ports)
            yield bridge, BuildLink(name, variables)
    finally:
        firewall.unguard_bridge(bridge)
        with suppress(NotFound, APIError, SandboxError):
            await asyncio.shield(engine.call(engine.api.remove_network, created["Id"]))


@asynccontextmanager
async def _relay_proxies(gateway: str) -> AsyncIterator[tuple[dict[str, str], list[int]]]:
    """Make this machine's proxies reachable at the network's gateway, wherever they are; yields the variables that
    tell of them, and the ports."""
    variables = {name: os.environ[name] for name in BYPASS_VARIABLES if os.environ.get(name)}
    ports: dict[str, int] = {}
    async with AsyncExitStack() as stack:
        for name, url in _find_proxies(os.environ).items():
            if url.netloc not in ports:
                ports[url.netloc] = await stack.enter_async_context(open_relay(gateway, *_address(url)))
            user, at, _ = url.netloc.rpartition("@")
            variables[name] = url._replace(netloc=f"{user}{at}{gateway}:{ports[url.netloc]}").geturl()
        yield variables, [*ports.values()]


def _find_proxies(environment: Mapping[str, str]) -> dict[str, SplitResult]:
    """The proxies that the variables name."""
    named = {name: environment[name] for name in PROXY_VARIABLES if environment.get(name)}
    return {name: urlsplit(url if "://" in url else f"http://{url}") for name, url in named.items()}


def _address(url: SplitResult) -> tuple[str, int]:
    return url.hostname or "127.0.0.1", url.port or (443 if url.scheme == "https" else 80)


async def _guard(bridge: str, ports: list[int]) -> None:
    """Close the bridge to this machine and to private networks; where that cannot be done, say what is open."""
    if not await asyncio.to_thread(firewall.guard_build_bridge, bridge, ports, find_name_servers()):
        log.warning(
            "cannot set packet filters for image builds here: commands of recipes can reach services that listen on "
            "this host's own addresses, and its private networks (loopback is out of their reach)"
        )


def find_name_servers() -> list[str]:
    """The name servers of this machine, but for those on its loopback: the engine asks these itself."""
    lines = [line.split() for path in RESOLVER_FILES if Path(path).is_file() for line in _read_lines(path)]
    servers = {words[1] for words in lines if words[:1] == ["nameserver"] and len(words) > 1 and ":" not in words[1]}
    return sorted(server for server in servers if not ip_address(server).is_loopback)


def _read_lines(path: str) -> list[str]:
    return Path(path).read_text(errors="replace").splitlines()
