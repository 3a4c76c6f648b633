"""How the commands of a build are joined to a network."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class BuildLink:
    """A network for builds, and how programs find their way out of it."""

    mode: str = "none"
    """The engine's network mode: `none`, or a network's name."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that tell the build's commands of a proxy; they are no part of the image."""
    certificates: bytes = b""
    """What the build's programs must trust beside what this machine trusts."""
    cache: LinkedCache | None = None
    """The package cache that the link goes through, if there is one."""


@dataclass(frozen=True)
class LinkedCache:
    """What a build does about the package cache when it fails."""

    answers: Callable[[], Awaitable[bool]]
    """Whether the cache is still there."""
    bypass: BuildLink
    """The same link without the cache."""


OpenBuildLink = Callable[[], Awaitable[BuildLink]]
"""Gives the network for builds, which is made when it is first asked for."""


async def no_link() -> BuildLink:
    """No network."""
    return BuildLink()
