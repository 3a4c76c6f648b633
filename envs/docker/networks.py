"""The network of one box: none, internal (the host reaches in), or an allow-list (the box reaches out)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from docker.errors import APIError, NotFound

from crucible.errors import SandboxError
from crucible.sandbox import Network
from envs.docker import firewall
from envs.docker.labels import fresh_name, owner_labels
from envs.docker.proxy import open_proxy
from envs.engine import Engine

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Link:
    """How a container is joined to its network."""

    mode: str = "none"
    """The engine's network mode: `none`, or a network's name."""
    environment: dict[str, str] = field(default_factory=dict)
    """Variables that tell the box of its proxy, if it has one."""

    @property
    def has_address(self) -> bool:
        """Whether the engine gives the container an address in a network of ours."""
        return self.mode != "none" and not self.mode.startswith("container:")


@asynccontextmanager
async def open_link(engine: Engine, network: Network) -> AsyncIterator[Link]:
    """The network that the task's policy asks for, removed at the end of the block."""
    if network.mode == "none":
        yield Link()
        return
    async with _internal_network(engine) as (name, bridge, gateway):
        if network.mode == "internal":
            await _guard_bridge(bridge)
            yield Link(name)
            return
        try:
            async with open_proxy(gateway, network.hosts) as port:
                await _guard_bridge(bridge, port)
                yield Link(name, _proxy_variables(f"http://{gateway}:{port}"))
        except OSError as fault:
            raise SandboxError(f"no proxy at {gateway}: {fault}; allow-lists need the engine on this host") from fault


@asynccontextmanager
async def share_link(container: str) -> AsyncIterator[Link]:
    """The network namespace of another container, whatever network that has."""
    yield Link(f"container:{container}")


@asynccontextmanager
async def _internal_network(engine: Engine) -> AsyncIterator[tuple[str, str, str]]:
    """A network without a way out, for one box alone; yields its name, its bridge and its gateway's address."""
    name = fresh_name()
    bridge = f"{firewall.BRIDGE_PREFIX}{name[-10:]}"
    options = {"com.docker.network.bridge.name": bridge}
    created = await engine.call(
        engine.api.create_network, name, driver="bridge", internal=True, labels=owner_labels(engine), options=options
    )
    try:
        facts: dict[str, Any] = await engine.call(engine.api.inspect_network, created["Id"])
        yield name, bridge, facts["IPAM"]["Config"][0]["Gateway"].partition("/")[0]
    finally:
        firewall.unguard_bridge(bridge)
        with suppress(NotFound, APIError, SandboxError):
            await asyncio.shield(engine.call(engine.api.remove_network, created["Id"]))


async def _guard_bridge(bridge: str, port: int | None = None) -> None:
    """Close the host to the bridge but for one port; where that cannot be done, warn."""
    if not await asyncio.to_thread(firewall.guard_bridge, bridge, port):
        log.warning("cannot set packet filters here: the box can reach services that listen on this host's bridge")


def _proxy_variables(url: str) -> dict[str, str]:
    """The environment variables by which programs find a proxy, in both spellings."""
    names = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
    return dict.fromkeys(names, url) | {"NO_PROXY": "localhost,127.0.0.1", "no_proxy": "localhost,127.0.0.1"}
