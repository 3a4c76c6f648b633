"""Every part of the product, found by name: the whole extension surface.

A part is a function in its folder, registered by a decorator. Names resolve in three places: the
folders of the checkout, entry points of group `crucible.parts`, and `package.module:name` anywhere.
A module is imported when a part that it registers is first asked for, never before.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Literal, ParamSpec, TypeVar

from crucible.acting import Attempt
from crucible.errors import DuplicatePart, UnknownPart
from crucible.mining import Importer, Pipeline
from crucible.part_kinds import (
    FOLDERS,
    Cost,
    Judge,
    Layer,
    ListMutations,
    Part,
    Plan,
    Ranker,
    Reader,
    Renderer,
    Routing,
    ScaffoldBuilder,
    ServiceIdentity,
    ServiceOpener,
    Settle,
    TeacherOpener,
    ToolFunction,
    WorldOpener,
)
from crucible.part_modules import import_modules
from crucible.record import Record

F = TypeVar("F", bound=Callable[..., Any])
A = TypeVar("A", bound=Attempt)
R = TypeVar("R", bound=Record)
Row = TypeVar("Row")
P = ParamSpec("P")

MANY = 12
"""Parts of one kind whose names begin alike, when they are named by their beginning alone."""

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


def source(name: str) -> Callable[[Reader[P]], Reader[P]]:
    """Yields raw items: `(origin, context) -> AsyncIterator[Record]`."""
    return register("source", name)


def router(name: str, *, pipeline: str) -> Callable[[Routing[R]], Routing[R]]:
    """Says what a raw item of a pipeline is: `(item) -> Route | None`. Other pipelines do not ask it."""
    return register("router", name, pipeline=pipeline)


def pipeline(name: str) -> Callable[[Callable[[], Pipeline]], Callable[[], Pipeline]]:
    """Raw material to tasks: `() -> Pipeline`."""
    return register("pipeline", name)


def importer(name: str) -> Callable[[Callable[[], Importer]], Callable[[], Importer]]:
    """Tasks that others wrote: `() -> Importer`."""
    return register("importer", name)


def env(name: str) -> Callable[[WorldOpener], WorldOpener]:
    """A world: `(settings, blobs) -> AsyncContextManager[World]`."""
    return register("env", name)


def service(
    name: str, *, version: int = 1, identity: ServiceIdentity = lambda settings: Record()
) -> Callable[[ServiceOpener], ServiceOpener]:
    """What is used beside a box: `(settings, blobs, open_world) -> AsyncContextManager[the service]`. `identity` picks
    the settings that its answers depend on; None says that it is not configured."""
    return register("service", name, version=version, identity=identity)


def agent(name: str) -> Callable[[A], A]:
    """An agent loop: `crucible.acting.Attempt`."""
    return register("agent", name)


def teacher(
    name: str,
    *,
    version: int = 1,
    kinds: tuple[str, ...] = (),
    domains: tuple[str, ...] = (),
    harmless_to: tuple[str, ...] = (),
    runners: tuple[str, ...] = (),
    authored: bool = False,
) -> Callable[[TeacherOpener], TeacherOpener]:
    """A teacher: `(settings) -> AsyncContextManager[Teacher]`. A cheat names the tasks it knows, and has a version.
    One that plays what people wrote says so (`authored`): its attempts are exported only when asked for."""
    tasks = {"kinds": kinds, "domains": domains, "harmless_to": harmless_to, "runners": runners}
    return register("teacher", name, version=version, authored=authored, **tasks)


def scaffold(name: str) -> Callable[[ScaffoldBuilder], ScaffoldBuilder]:
    """How a teacher is spoken to: `(seed, added_tools) -> Scaffold`."""
    return register("scaffold", name)


def tool(
    name: str, *, needs: tuple[str, ...] = (), wants: tuple[str, ...] = ()
) -> Callable[[ToolFunction[R, P]], ToolFunction[R, P]]:
    """What a teacher can do: `(context, arguments, **services) -> str | Shown`, see `crucible/tooling.py`."""
    return register("tool", name, needs=needs, wants=wants)


def verifier(
    name: str,
    *,
    layer: Layer,
    version: int = 1,
    cost: Cost = "seconds",
    gate: bool = False,
    needs: tuple[str, ...] = (),
    wants: tuple[str, ...] = (),
    weight: float = 1.0,
    may_lose: str = "",
    settle: Settle | None = None,
    mutants: ListMutations | None = None,
    shares: Literal["", "box"] = "",
    tidies: bool = False,
) -> Callable[[Judge[P]], Judge[P]]:
    """A judge: `(task, trajectory, box, *, params, **services) -> AsyncIterator[Criterion]`."""
    return register(
        "verifier",
        name,
        layer=layer,
        version=version,
        cost=cost,
        gate=gate,
        needs=needs,
        wants=wants,
        weight=weight,
        may_lose=may_lose,
        settle=settle,
        mutants=mutants,
        shares=shares,
        tidies=tidies,
    )


def proof(name: str, *, version: int = 1) -> Callable[[Plan], Plan]:
    """A plan of a proof: `(task) -> Iterator[Control]`, who plays the task and what must come of it."""
    return register("proof", name, version=version)


def policy(name: str, *, version: int = 1, needs: tuple[str, ...] = ()) -> Callable[[Ranker[P]], Ranker[P]]:
    """A selection policy: `(candidates, **services) -> AsyncIterator[(candidate, why)]`, see `crucible/choosing.py`."""
    return register("policy", name, version=version, needs=needs)


def exporter(
    name: str,
    *,
    shape: str = "parquet",
    per: str = "trajectory",
    needs: tuple[str, ...] = (),
    unsolved: bool = False,
    pairs: bool = False,
    rewards: bool = False,
    split: str = "train",
) -> Callable[[Renderer[P, Row]], Renderer[P, Row]]:
    """Judged attempts to shards: `(judged, **services) -> Iterator[row]`, see `crucible/exporting.py`."""
    facts = {"unsolved": unsolved, "pairs": pairs, "rewards": rewards}
    return register("exporter", name, shape=shape, per=per, needs=needs, split=split, **facts)


def find(kind: str, name: str) -> Part:
    """The part of that kind and name; an unknown name lists the known ones."""
    _import_entry_points()
    if ":" in name and (kind, name) not in _known:
        return _from_reference(kind, name)
    if (kind, name) not in _known:
        import_modules(FOLDERS[kind], kind, name)
    if (kind, name) not in _known:
        _load(kind)
    try:
        return _known[kind, name]
    except KeyError:
        raise _unknown_part(kind, name) from None


def _unknown_part(kind: str, name: str) -> UnknownPart:
    """Lists the known names, and the one that was probably meant. Of names that begin alike (`probe.`) only the
    beginning is told where there are so many that nobody would find another among them."""
    names = [part.name for part in every(kind)]
    heads = {known: known.partition(".")[0] for known in names}
    sizes = Counter(heads.values())
    listed = dict.fromkeys(f"{head}.*" if sizes[head] > MANY else known for known, head in heads.items())
    near = get_close_matches(name, names, n=1)
    remedy = f"did you mean '{near[0]}'?" if near else f"`crucible parts --kind {kind}` tells what each does"
    return UnknownPart(f"{FOLDERS[kind]}/ has no {kind} '{name}'; it has: {', '.join(listed) or 'none yet'}", remedy)


def every(kind: str) -> Iterator[Part]:
    """All parts of a kind, by name."""
    _load(kind)
    yield from (part for key, part in sorted(_known.items()) if key[0] == kind)


def find_known(kind: str, names: Iterable[str]) -> Iterator[Part]:
    """Those parts of a kind that have one of the names, in their order. Modules of others are not imported."""
    _import_entry_points()
    for name in names:
        import_modules(FOLDERS[kind], kind, name)
        if (kind, name) in _known:
            yield _known[kind, name]


@cache
def _load(kind: str) -> None:
    import_modules(FOLDERS[kind], kind)
    _import_entry_points()


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
        target = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as missing:
        raise UnknownPart(f"no {kind} at '{name}': {missing}") from missing
    for part in _known.values():
        if part.kind == kind and part.make is target:
            return part
    raise UnknownPart(f"'{name}' is not a {kind}", f"decorate it with @{kind}(NAME)")
