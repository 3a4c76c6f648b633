"""What mining means to the spine: sources, routes, and the stages that turn raw items into draft tasks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from crucible.record import Record
from crucible.sandbox import World


class BlobStore(Protocol):
    """Bytes by their content's digest."""

    def put(self, data: bytes) -> str:
        """Keep the bytes; returns their sha256. The same bytes twice are one blob."""

    def get(self, digest: str) -> bytes:
        """The bytes; StoreError when they are not there or not what the digest says."""


class Raw(Protocol):
    """A raw item or a candidate: a record with a stable id."""

    @property
    def id(self) -> str: ...


class Route(Record):
    """What a router takes an item to be."""

    kind: str
    confidence: float
    why: str


@dataclass(frozen=True)
class Workshop:
    """What a mining stage is handed: a world to try things in, blobs to keep things in."""

    world: World
    blobs: BlobStore
    repeats: int = 3
    """How often a measurement by execution is repeated."""


@dataclass(frozen=True)
class Stage:
    """One arrow. `work` returns what goes on to the next stage; it raises Rejected to drop the item."""

    name: str
    takes: type[Record]
    work: Callable[[Any, Workshop], Awaitable[Sequence[Record]]]


@dataclass(frozen=True)
class Pipeline:
    """Raw items to draft tasks: the last stage returns `Task`s."""

    name: str
    source: str
    """The source used unless the user names another."""
    sample: str
    """Sample input, as a path below the checkout."""
    stages: tuple[Stage, ...] = field(default=())
    world: str = "docker"
    """Where its stages try things."""
    version: int = 1
