"""What mining means to the spine: sources, routes, importers, and the stages that turn raw items into draft tasks."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Protocol, TypeVar

from crucible.acting import Teacher
from crucible.asking import Judge, TeacherJudge
from crucible.collecting import Cursor, FreshCursor
from crucible.record import Record
from crucible.sandbox import World
from crucible.serving import GivenServices, Services
from crucible.settings import Settings

S = TypeVar("S", bound=Record)


class BlobStore(Protocol):
    """Bytes by their content's digest."""

    def put(self, data: bytes) -> str:
        """Keep the bytes; returns their sha256. The same bytes twice are one blob."""

    def get(self, digest: str) -> bytes:
        """The bytes; StoreError when they are not there or not what the digest says."""


class Route(Record):
    """What a router takes an item to be."""

    kind: str
    confidence: float
    why: str


class Yield(Record):
    """What came of the raw items of one group: those of a source whose ids are `GROUP-NUMBER`."""

    drawn: int = 0
    """Raw items."""
    tasks: int = 0
    """Those that led to a sound task."""
    accepted: int = 0
    """Those that led to an accepted attempt."""
    factor: float = 1.0
    """How much more often than others the group is worth drawing from (`judging/yields.py`)."""


class Memory(Protocol):
    """Texts by key. What is remembered first stays; whoever finds it out again is not believed."""

    def recall(self, key: str) -> str | None:
        """The text that is remembered under a key, if any."""

    def recall_all(self, keys: Iterable[str]) -> dict[str, str]:
        """The texts that are remembered under any of these keys, looked up at once."""

    def remember(self, key: str, value: str) -> None:
        """Keep a text under a key, unless one is kept there already."""

    def keep_fact(self, noun: str, id: str, fact: Record) -> None:
        """Keep a fact about an item as an item of its own beside it, under its noun; the first one stays."""

    def alone(self, key: str) -> AbstractAsyncContextManager[None]:
        """Hold the key within this process, so that neighbours do not find out the same thing at once."""


class Locks:
    """One lock for each key that somebody holds or waits for."""

    def __init__(self) -> None:
        self._held: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._users: defaultdict[str, int] = defaultdict(int)

    @asynccontextmanager
    async def alone(self, key: str) -> AsyncIterator[None]:
        self._users[key] += 1
        try:
            async with self._held[key]:
                yield
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._held[key]


class ProcessMemory(Locks):
    """A `Memory` that lasts as long as its process."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, str] = {}
        self.facts: dict[tuple[str, str], Record] = {}

    def recall(self, key: str) -> str | None:
        return self._known.get(key)

    def recall_all(self, keys: Iterable[str]) -> dict[str, str]:
        return {key: self._known[key] for key in keys if key in self._known}

    def remember(self, key: str, value: str) -> None:
        self._known.setdefault(key, value)

    def keep_fact(self, noun: str, id: str, fact: Record) -> None:
        self.facts.setdefault((noun, id), fact)


@dataclass(frozen=True)
class MiningContext:
    """What a mining stage is handed: a world to try things in, blobs to keep things in, and its pipeline's settings."""

    world: World
    blobs: BlobStore
    repeats: int = 3
    """How often a measurement by execution is repeated."""
    memory: Memory = field(default_factory=ProcessMemory)
    """What stages learn about a source and tell each other."""
    teacher: Teacher | None = None
    """Who gives advice on recipes and looks at statements, if anybody."""
    settings: Settings = field(default_factory=Settings)
    services: Services = field(default_factory=GivenServices)
    """A browser, an office, a judge: opened when first asked for."""
    cursor: Cursor = field(default_factory=FreshCursor)
    """For a source: where it stopped the last time, and how far it has come."""
    yields: Callable[[], Mapping[str, Yield]] = dict
    """For a source: what came of what it gave before, by group."""

    @property
    def adviser(self) -> Judge | None:
        """The teacher, as somebody to put questions to."""
        return TeacherJudge(self.teacher) if self.teacher else None

    def section(self, kind: type[S]) -> S:
        """The section of the settings that is described by this record."""
        return self.settings.section(kind)


@dataclass(frozen=True)
class Stage:
    """One arrow. `work` returns what goes on to the next stage; it raises Rejected to drop the item, and returns
    `Dropped` for an output that it could not make."""

    name: str
    takes: type[Record] | UnionType
    """A record, or several kinds where a pipeline has several kinds of raw material: `Seed | Dataset`. No two of them
    may have the same fields."""
    work: Callable[[Any, MiningContext], Awaitable[Sequence[Record]]]


@dataclass(frozen=True)
class Pipeline:
    """Raw items to draft tasks: the last stage returns `Task`s, or attempts where the pipeline `makes` those."""

    name: str
    stages: tuple[Stage, ...]
    source: str = ""
    """The source used unless the user names another; an importer is told its place instead."""
    samples: tuple[str, ...] = ()
    """Sample inputs, as paths below the checkout: the demo takes all of them, `mine` the first."""
    target: str = ""
    """The file, below the checkout, that says what a sample of its tasks is drawn to."""
    demo_items: int | None = None
    """How many raw items of each sample the demo takes, where all would keep people waiting."""
    demo_sections: Mapping[str, Record] = field(default_factory=dict)
    """Sections of the settings that the demo uses in the place of the user's, for the same reason."""
    source_of: Callable[[str], str] | None = None
    """Which source an origin is for, where a pipeline has several: a folder, a name on a forge."""
    teacher_of: Callable[[Settings], str] | None = None
    """The name of the teacher that advises the stages, by the settings; empty: nobody does."""
    makes: Literal["draft", "attempt"] = "draft"
    """Drafts wait to be proven; attempts, at tasks that are there already, are made at once."""
    world: str = "docker"
    """Where its stages try things."""
    version: int = 1


@dataclass(frozen=True)
class ImportPlace:
    """Where an import comes from."""

    path: Path
    """A file or a folder."""
    repo: Path | None = None
    """A clone, or a folder of clones, for formats that name a repository and do not hold it."""


@dataclass(frozen=True)
class Importer:
    """How tasks of an outside format are read, and the pipeline that makes drafts of them.

    Nothing that is imported is believed: a draft goes through the same proof as one of our own. What cannot be read
    is an item all the same, so that its drop is recorded with a reason and the funnel adds up.
    """

    read: Callable[[ImportPlace, BlobStore], Iterator[Record]]
    """Yields raw items, each with an id made of its content; a bad one is an item too."""
    pipeline: Pipeline
