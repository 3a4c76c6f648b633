"""Services: what judges, mining stages, tools and selection policies use beside a box, such as a browser or a judge.

A service is a part (`@service`), opened when it is first asked for, once per run, shared by everybody, and closed at
the end. Who uses one is handed `Services` and asks by name. A service that cannot be had is a `ServiceMissing`: the
item that asked is set aside with the reason, and the run goes on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from crucible.errors import ServiceMissing
from crucible.sandbox import World

OpenWorld = Callable[[str], Awaitable[World]]
"""Opens the world of that name, once per run: a service that needs a box asks for it here."""


class Services(Protocol):
    """The run's services, by name."""

    async def get(self, name: str) -> Any:
        """The open service; ServiceMissing, with the reason, when it cannot be had."""

    async def get_if_configured(self, name: str) -> Any | None:
        """The open service; None where the settings name none. ServiceMissing when it is configured and broken."""

    def identity(self, name: str) -> str:
        """Who the service is: its name, version and the hash of the settings its answers depend on. Empty where it
        is not configured. Nothing is opened: verdicts are looked up by this before anybody is asked."""


@dataclass(frozen=True)
class GivenServices:
    """Services that somebody has opened already, or none. Implements `Services`."""

    opened: Mapping[str, Any] = field(default_factory=dict)

    async def get(self, name: str) -> Any:
        if name not in self.opened:
            raise ServiceMissing(name, "it is not open")
        return self.opened[name]

    async def get_if_configured(self, name: str) -> Any | None:
        return self.opened.get(name)

    def identity(self, name: str) -> str:
        return f"{name} given" if name in self.opened else ""
