"""A library: the folder of TOML files that an expert edits, read and checked as a whole.

library.toml      who wrote it, and under which licence
pools.toml        one array of tables for each seed pool
rules.toml        what goes together
metas/*.toml      meta-queries
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from crucible.datafile import read_file, read_rows
from crucible.errors import SettingsError
from crucible.record import Record
from pipelines.queries.model import Entry, Feature, MetaQuery, Rule

SLOT = re.compile(r"\{(\w+)\}")  # matches: {scenario}

F = TypeVar("F", bound=Feature)


class Authorship(Record):
    """Whom a library's licence asks to name."""

    author: str
    licence: str


@dataclass(frozen=True)
class Library:
    """Everything that queries are made of."""

    authorship: Authorship
    metas: Mapping[str, MetaQuery]
    pools: Mapping[str, tuple[Entry, ...]]
    rules: tuple[Rule, ...]
    features: Mapping[str, Feature]

    def list_entries(self, meta: MetaQuery, slot: str) -> tuple[Entry, ...]:
        """What may stand in a slot of a meta-query."""
        pool, _, tag = meta.draws[slot].partition(":")
        return tuple(entry for entry in self.pools[pool] if not tag or tag in entry.tags)

    def find_entry(self, meta: MetaQuery, slot: str, name: str) -> Entry:
        """The entry of that name; SettingsError names the ones there are."""
        entries = {entry.name: entry for entry in self.list_entries(meta, slot)}
        if name not in entries:
            raise SettingsError(f"the slot '{slot}' of {meta.name} has no '{name}'; it has: {', '.join(entries)}")
        return entries[name]


def read_library(folder: Path, features: Iterable[Feature]) -> Library:
    """The library in a folder, with the features of its pipeline; SettingsError where a name leads nowhere."""
    library = Library(
        read_file(folder / "library.toml", Authorship),
        {
            meta.name: meta
            for file in sorted(folder.glob("metas/*.toml"))
            for meta in read_rows(file, "metas", MetaQuery)
        },
        {name: read_rows(folder / "pools.toml", name, Entry) for name in _pool_names(folder)},
        read_rows(folder / "rules.toml", "rules", Rule),
        {feature.name: feature for feature in features},
    )
    faults = list(_list_faults(library))
    if faults:
        raise SettingsError(f"{folder}: {faults[0]}", f"{len(faults)} such faults" if len(faults) > 1 else "")
    return library


def read_features(folder: Path, kind: type[F]) -> list[F]:
    """The features in a folder, a file for each."""
    return [read_file(file, kind) for file in sorted(folder.glob("*.toml"))]


def _pool_names(folder: Path) -> list[str]:
    return list(tomllib.loads((folder / "pools.toml").read_text("utf-8")))


def _list_faults(library: Library) -> Iterator[str]:
    """Names that lead nowhere, and slots that nothing can stand in."""
    known = {word for pool in library.pools.values() for entry in pool for word in (entry.name, *entry.tags)}
    known |= {word for feature in library.features.values() for word in (feature.name, *feature.tags)}
    for rule in library.rules:
        for word in (*rule.when, *rule.needs, *rule.never):
            if word not in known:
                yield f"a rule speaks of '{word}', which nothing is called or tagged"
    for meta in library.metas.values():
        yield from (
            f"{meta.name} asks for the feature '{name}', which is not there"
            for name in (*meta.features, *meta.extras)
            if name not in library.features
        )
        slots = {slot for text in meta.texts for slot in SLOT.findall(text)}
        yield from (f"{meta.name} draws nothing for '{slot}'" for slot in slots - set(meta.draws))
        for slot, pool in meta.draws.items():
            if pool.partition(":")[0] not in library.pools or not library.list_entries(meta, slot):
                yield f"{meta.name} draws '{slot}' from '{pool}', which holds nothing"
