"""What a part of each kind is called with and returns, where it lives, and what is known of one that is registered."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, get_args

from crucible.acting import Scaffold, Teacher
from crucible.choosing import Candidate, Ranking
from crucible.exporting import Judged
from crucible.mining import BlobStore, MiningContext, Route
from crucible.model import Criterion, Task, Trajectory
from crucible.proving import Control, Mutation, Settled
from crucible.record import Record
from crucible.sandbox import Sandbox, World
from crucible.serving import OpenWorld
from crucible.settings import Settings
from crucible.tooling import Shown, ToolContext

R = TypeVar("R", bound=Record)
Row = TypeVar("Row")
P = ParamSpec("P")

Reader = Callable[Concatenate[str, MiningContext, P], AsyncIterator[Record]]
Routing = Callable[[R], Route | None]
WorldOpener = Callable[[Settings, BlobStore], AbstractAsyncContextManager[World]]
ServiceOpener = Callable[[Settings, BlobStore, OpenWorld], AbstractAsyncContextManager[Any]]
ServiceIdentity = Callable[[Settings], Record | None]
ScaffoldBuilder = Callable[[int, Sequence[str]], Scaffold]
ToolFunction = Callable[Concatenate[ToolContext, R, P], Awaitable[str | Shown]]
TeacherOpener = Callable[[Settings], AbstractAsyncContextManager[Teacher]]
Judge = Callable[Concatenate[Task, Trajectory, Sandbox, P], AsyncIterator[Criterion]]
Settle = Callable[..., Awaitable[Settled]]
ListMutations = Callable[..., Sequence[Mutation]]
Plan = Callable[[Task], Iterator[Control]]
Ranker = Callable[Concatenate[Sequence[Candidate], P], Ranking]
Renderer = Callable[Concatenate[Judged, P], Iterator[Row]]
"""What a part of each kind is called with, and what it returns."""

Layer = Literal["execution", "function", "interaction", "visual", "rubric"]
"""What a verifier looks at, in the order in which it is asked."""
Cost = Literal["milliseconds", "seconds", "minutes", "money"]
"""What asking a verifier costs, the cheap first."""
LAYERS: tuple[str, ...] = get_args(Layer)
COSTS: tuple[str, ...] = get_args(Cost)

FOLDERS = {
    "source": "pipelines",
    "router": "pipelines",
    "pipeline": "pipelines",
    "importer": "pipelines",
    "env": "envs",
    "service": "services",
    "agent": "agents",
    "tool": "agents",
    "teacher": "agents",
    "scaffold": "agents",
    "verifier": "verifiers",
    "runner": "verifiers",
    "proof": "verifiers",
    "policy": "exporters",
    "exporter": "exporters",
}
"""Where the parts of each kind live."""


@dataclass(frozen=True)
class Part:
    """A named function and what its decorator said of it."""

    kind: str
    name: str
    make: Callable[..., Any]
    version: int = 1
    layer: str = ""
    """For a verifier: one of `LAYERS`."""
    cost: str = "seconds"
    """For a verifier: one of `COSTS`; within a layer the cheap are asked first."""
    shares: str = ""
    """For a verifier: `box` when it may go on in the box that the check before it, which shares too, has left."""
    tidies: bool = False
    """For a verifier: whether it takes away what it laid in its box. Where the work left nothing either, the box is as
    it was opened, and the same work is graded there again while a task is proven."""
    needs: tuple[str, ...] = ()
    """Services handed over by name: blobs, boxes (`judging/fresh_boxes.py`), applications (`judging/applications.py`),
    browser, office. Without one of them it cannot work."""
    wants: tuple[str, ...] = ()
    """Services handed over where they are configured, else None: judge."""
    may_lose: str = ""
    """For a verifier: the parameter whose entries leave a task when they come and go (`judging/steadiness.py`)."""
    settle: Settle | None = None
    """For a verifier: finds out more about a check while its task is proven (`judging/settling.py`)."""
    mutants: ListMutations | None = None
    """For a verifier: the ways of spoiling good work that it must notice, by its parameters (`judging/mutants.py`)."""
    gate: bool = False
    """For a verifier: failing it stops the rest of the cascade."""
    weight: float = 1.0
    """For a verifier: how much its verdict counts beside others; 0 for a gate that only lets through."""
    pipeline: str = ""
    """For a router: the pipeline whose items it knows."""
    kinds: tuple[str, ...] = ()
    """For a teacher that cheats: the kinds of tasks it knows how to cheat in; all when empty."""
    domains: tuple[str, ...] = ()
    """For a teacher that cheats: the domains it knows, in the same way."""
    harmless_to: tuple[str, ...] = ()
    """For a teacher that cheats: the verifiers it cannot fool; it is not tried at a task that has no other."""
    runners: tuple[str, ...] = ()
    """For a teacher that cheats: the test frameworks it knows, in the same way."""
    authored: bool = False
    """For a teacher: whether people wrote what it plays (a reference, a script): exported only when asked for."""
    shape: str = "parquet"
    """For an exporter: parquet, jsonl or folder (`crucible/exporting.py`)."""
    identity: ServiceIdentity = lambda settings: Record()
    """For a service: what its answers depend on, taken from the settings; None where it is not configured."""
    per: str = "trajectory"
    """For an exporter: whether every accepted trajectory goes in, or every `task` once."""
    unsolved: bool = False
    """For an exporter per task: whether tasks go in that nobody has solved."""
    pairs: bool = False
    """For an exporter: whether it is handed an attempt that passed together with one that failed, as its rival."""
    rewards: bool = False
    """For an exporter: whether its rows carry rewards, so that failed attempts may go in where that is asked for."""
    split: str = "train"
    """For an exporter: the split that rows go to unless another one is asked for."""

    @property
    def summary(self) -> str:
        return (self.make.__doc__ or "").strip().partition("\n")[0]

    @property
    def details(self) -> str:
        """What its docstring says after the first line."""
        return inspect.cleandoc(self.make.__doc__ or "").partition("\n")[2].strip()

    @property
    def origin(self) -> str:
        return f"{self.make.__module__}:{getattr(self.make, '__qualname__', self.name)}"
