"""What mining means to the spine: sources, routes, and the stages that turn raw items into draft tasks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Protocol

from pydantic import BeforeValidator, Field, SecretStr

from crucible.acting import Teacher
from crucible.memory import Memory, Recollection
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


def _words(value: object) -> object:
    return [one.strip() for one in value.split(",") if one.strip()] if isinstance(value, str) else value


class SourceSettings(Record):
    """Where raw material comes from over the network, and what it is held against."""

    github_url: str = "https://api.github.com"
    """The API; of an Enterprise server `https://HOST/api/v3`."""
    github_token: SecretStr = SecretStr("")
    """Without one GitHub answers 60 questions an hour, with one 5000."""
    protocols: Annotated[tuple[str, ...], BeforeValidator(_words)] = ("https",)
    """How repositories may be cloned: https, http, file."""
    wait_seconds: float = Field(default=120.0, ge=0)
    """The longest wait for a rate limit; beyond it, collecting stops and says when to come back."""
    cache: Path = Path()
    """Folder for clones and answers; left out: `sources` in the home."""
    lists: Annotated[tuple[str, ...], BeforeValidator(_words)] = ()
    """Files of benchmark instances, as JSON lines, that no task may be made of; besides those that come along."""


class RepairSettings(Record):
    """How far a recipe that does not work is mended."""

    rounds: int = Field(default=5, ge=0)
    """How often it is changed and tried again."""
    teacher: str = ""
    """Who is asked where the rules do not help; empty: nobody."""
    usd: float = Field(default=0.5, ge=0)
    """What the advice on one repository may cost."""


@dataclass(frozen=True)
class Workshop:
    """What a mining stage is handed: a world to try things in, blobs to keep things in."""

    world: World
    blobs: BlobStore
    repeats: int = 3
    """How often a measurement by execution is repeated."""
    memory: Memory = field(default_factory=Recollection)
    """What stages learn about a source and tell each other."""
    repair: RepairSettings = field(default_factory=RepairSettings)
    teacher: Teacher | None = None
    """Who gives advice on recipes and looks at statements, if anybody."""
    sources: SourceSettings = field(default_factory=SourceSettings)


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
    samples: tuple[str, ...]
    """Sample inputs, as paths below the checkout: the demo takes all of them, `mine` the first."""
    stages: tuple[Stage, ...] = field(default=())
    source_of: Callable[[str], str] | None = None
    """Which source an origin is for, where a pipeline has several: a folder, a name on a forge."""
    world: str = "docker"
    """Where its stages try things."""
    version: int = 1
