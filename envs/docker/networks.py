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
from envs.docker.labels import fresh_name, mine
from envs.docker.proxy import proxy
from envs.engine import Engine

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Link:
    """How a container is joined to its network."""

    mode: str = "none"
    """The engine's network mode: `none`, or a network's name."""
    environment: dict[str, str] = field(default_factory=dict)


@asynccontextmanager
async def link(engine: Engine, network: Network) -> AsyncIterator[Link]:
    """The network that the policy asks for; it goes away with the box."""
    if network.mode == "none":
        yield Link()
        return
    async with _internal(engine) as (name, bridge, gateway):
        if network.mode == "internal":
            await _guard(bridge)
            yield Link(name)
            return
        try:
            async with proxy(gateway, network.hosts) as port:
                await _guard(bridge, port)
                yield Link(name, _proxied(f"http://{gateway}:{port}"))
        except OSError as fault:
            raise SandboxError(f"no proxy at {gateway}: {fault}; allow-lists need the engine on this host") from fault


@asynccontextmanager
async def _internal(engine: Engine) -> AsyncIterator[tuple[str, str, str]]:
    """A network without a way out, of one box alone: its name, its bridge, its gateway."""
    name = fresh_name()
    bridge = f"{firewall.BRIDGE}{name[-10:]}"
    options = {"com.docker.network.bridge.name": bridge}
    made = await engine.call(
        engine.api.create_network, name, driver="bridge", internal=True, labels=mine(), options=options
    )
    try:
        facts: dict[str, Any] = await engine.call(engine.api.inspect_network, made["Id"])
        yield name, bridge, facts["IPAM"]["Config"][0]["Gateway"].partition("/")[0]
    finally:
        firewall.unguard(bridge)
        with suppress(NotFound, APIError, SandboxError):
            await asyncio.shield(engine.call(engine.api.remove_network, made["Id"]))


async def _guard(bridge: str, port: int | None = None) -> None:
    if not await asyncio.to_thread(firewall.guard, bridge, port):
        log.warning("cannot set packet filters here: the box can reach services that listen on this host's bridge")


def _proxied(url: str) -> dict[str, str]:
    names = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
    return dict.fromkeys(names, url) | {"NO_PROXY": "localhost,127.0.0.1", "no_proxy": "localhost,127.0.0.1"}
