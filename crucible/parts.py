"""Every part of the product, found by name: the whole extension surface.

A part is a function in its folder, registered by a decorator. Names resolve in three places: the
folders of the checkout, entry points of group `crucible.parts`, and `package.module:name` anywhere.
Folders are imported when a name of their kind is first asked for, never before.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import entry_points
from typing import Any, TypeVar

from crucible.errors import DuplicatePart, UnknownPart

F = TypeVar("F", bound=Callable[..., Any])

FOLDERS = {
    "source": "pipelines",
    "router": "pipelines",
    "pipeline": "pipelines",
    "importer": "pipelines",
    "env": "envs",
    "agent": "agents",
    "teacher": "agents",
    "scaffold": "agents",
    "verifier": "verifiers",
    "runner": "verifiers",
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
    """For a verifier: execution, function, interaction, visual, rubric."""
    cost: str = "seconds"
    """For a verifier: milliseconds, seconds, minutes or money; cheap ones run first."""
    needs: tuple[str, ...] = ()
    """Services handed over by name: blobs, browser, office. Without one of them it cannot work."""
    wants: tuple[str, ...] = ()
    """Services handed over where they are configured, else None: judge."""
    gate: bool = False
    """For a verifier: failing it stops the rest of the cascade."""
    kinds: tuple[str, ...] = ()
    """For a teacher that cheats: the kinds of tasks it knows how to cheat in; all when empty."""
    shape: str = "parquet"
    """For an exporter: parquet, jsonl or folder (`crucible/exporting.py`)."""
    per: str = "trajectory"
    """For an exporter: whether every accepted trajectory goes in, or every `task` once."""

    @property
    def summary(self) -> str:
        return (self.make.__doc__ or "").strip().partition("\n")[0]

    @property
    def origin(self) -> str:
        return f"{self.make.__module__}:{getattr(self.make, '__qualname__', self.name)}"


_known: dict[tuple[str, str], Part] = {}


def register(kind: str, name: str, **facts: Any) -> Callable[[F], F]:
    """Register the decorated function as the part `name` of `kind`."""

    def keep(make: F) -> F:
        part = Part(kind=kind, name=name, make=make, **facts)
        other = _known.get((kind, name))
        if other is not None and other.origin != part.origin:
            raise DuplicatePart(f"two {kind}s are named '{name}': {other.origin} and {part.origin}")
        _known[kind, name] = part
        return make

    return keep


source = partial(register, "source")
"""Yields raw items: `(origin, services) -> AsyncIterator[Record]`."""
router = partial(register, "router")
"""Says what a raw item is: `(item) -> Route | None`."""
pipeline = partial(register, "pipeline")
"""Raw material to tasks: `() -> Pipeline`."""
importer = partial(register, "importer")
"""Tasks that others wrote: `() -> crucible.importing.Import`."""
env = partial(register, "env")
"""A world: `(settings, blobs) -> AsyncContextManager[World]`."""
agent = partial(register, "agent")
"""An agent loop: `crucible.acting.Attempt`."""
teacher = partial(register, "teacher")
"""A teacher: `(settings) -> AsyncContextManager[Teacher]`."""
scaffold = partial(register, "scaffold")
"""A scaffold: `(seed) -> Scaffold`."""
verifier = partial(register, "verifier")
"""A judge: `(task, trajectory, box, *, params, **needs) -> AsyncIterator[Criterion]`."""
runner = partial(register, "runner")
"""How a test framework is started and read: `() -> crucible.suites.Runner`."""
exporter = partial(register, "exporter")
"""Accepted attempts to shards: `(accepted) -> Iterator[row]`, see `crucible/exporting.py`."""


def find(kind: str, name: str) -> Part:
    """The part of that kind and name; an unknown name lists the known ones."""
    _load(kind)
    if ":" in name and (kind, name) not in _known:
        return _from_reference(kind, name)
    try:
        return _known[kind, name]
    except KeyError:
        known = ", ".join(part.name for part in every(kind)) or "none yet"
        raise UnknownPart(f"{FOLDERS[kind]}/ has no {kind} '{name}'; it has: {known}") from None


def every(kind: str) -> Iterator[Part]:
    """All parts of a kind, by name."""
    _load(kind)
    yield from (part for key, part in sorted(_known.items()) if key[0] == kind)


@cache
def _load(kind: str) -> None:
    _import_folder(FOLDERS[kind])
    _import_entry_points()


@cache
def _import_folder(folder: str) -> None:
    try:
        package = importlib.import_module(folder)
    except ModuleNotFoundError as missing:
        if missing.name == folder:
            return
        raise
    for module in pkgutil.walk_packages(package.__path__, prefix=f"{folder}."):
        importlib.import_module(module.name)


@cache
def _import_entry_points() -> None:
    """Loading an entry point runs its decorators; a broken one is named, not swallowed."""
    for point in entry_points(group="crucible.parts"):
        try:
            point.load()
        except Exception as broken:
            raise UnknownPart(
                f"the entry point '{point.name}' ({point.value}) does not load: {broken!r}",
                "repair or uninstall that package",
            ) from broken


def _from_reference(kind: str, name: str) -> Part:
    module, _, attribute = name.partition(":")
    try:
        made = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as missing:
        raise UnknownPart(f"no {kind} at '{name}': {missing}") from missing
    for part in _known.values():
        if part.kind == kind and part.make is made:
            return part
    raise UnknownPart(f"'{name}' is not a {kind}", f"decorate it with @{kind}(NAME)")
