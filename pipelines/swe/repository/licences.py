"""Which licence a repository is under: told by the text of its licence files, else by what its manifest declares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path

from crucible.datafile import rows, whole
from crucible.record import Record
from pipelines.swe.repository.git import GitFailed, to_text
from pipelines.swe.repository.objects import Objects

HERE = Path(__file__).parent
MAX_LICENCE_BYTES = 200_000
MAX_NOTE_CHARS = 400
"""A shorter text that is no licence is a note on which of the others applies."""
CHOICE_PHRASE = re.compile(r"licen[cs]ed under (?:the terms of )?either|dual(?:ly)?[ -]licen[cs]ed")
MAX_CHOICE_CHARS = 2000
LICENCE_FILE_NAME = re.compile(r"mit|apache|bsd|unlicense|zlib|isc|boost|0bsd")


class Licence(Record):
    """One row of `licences.toml`."""

    spdx: str
    permissive: bool
    phrases: tuple[str, ...]
    longest: int = MAX_LICENCE_BYTES
    """Characters of a text that these phrases can be told by."""
    names: tuple[str, ...] = ()
    """What manifests call it."""


class Manifest(Record):
    """A file in which a package says what its licence is: `declares` finds the words."""

    file: str
    declares: str


class Table(Record):
    """`licences.toml`."""

    files: tuple[str, ...]
    licences: tuple[Licence, ...]
    manifests: tuple[Manifest, ...]


@cache
def _table() -> Table:
    return whole(HERE / "licences.toml", Table)


@cache
def _permissive() -> frozenset[str]:
    return frozenset(known.spdx for known in rows(HERE / "licences.toml", "licences", Licence) if known.permissive)


def recognise_licence(written: str) -> str:
    """The SPDX name of a licence text, empty when it is none we know."""
    plain = " ".join(written.lower().replace("*", " ").replace("”", '"').replace("“", '"').replace("``", '"').split())
    fitting = (known for known in _table().licences if known.phrases and len(plain) <= known.longest)
    return next((known.spdx for known in fitting if all(phrase in plain for phrase in known.phrases)), "")


def spdx_of_declaration(words: str) -> str:
    """The SPDX expression that a manifest's words stand for: every licence in it must be known."""
    known = {name.lower(): one.spdx for one in _table().licences for name in (one.spdx, *one.names)}
    if words.strip().lower() in known:
        return known[words.strip().lower()]
    either = re.split(r"\s+or\s+|/|,", words.strip().strip("()").lower())
    found = {known.get(word.strip(" ()")) for word in either}
    return " OR ".join(sorted(one for one in found if one)) if found and None not in found else ""


def is_permissive(spdx: str) -> bool:
    """Whether work under that licence, or under one of those to choose from, may be passed on freely."""
    return any(one in _permissive() for one in spdx.split(" OR "))


class Licences:
    """The licence at any commit of a repository; the same files are read once."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._known: dict[tuple[tuple[str, str], ...], str] = {}
        self._roots: dict[str, dict[bytes, str]] = {}

    def load_roots(self, commits: Sequence[str]) -> None:
        """Look at all of these at once; few are kept, since a history is read in order."""
        self._roots = self._objects.root_files(commits)

    def spdx_at(self, commit: str) -> str:
        """Several licence files are a choice (MIT or Apache), unless one of them is none we know."""
        if commit not in self._roots:
            self.load_roots([commit])
        wanted = tuple(
            sorted(
                (to_text(name), blob) for name, blob in self._roots[commit].items() if _is_relevant_file(to_text(name))
            )
        )
        if wanted not in self._known:
            self._known[wanted] = self._spdx_of_files(dict(wanted))
        return self._known[wanted]

    def _spdx_of_files(self, files: dict[str, str]) -> str:
        texts = {name: self._read(blob) for name, blob in files.items()}
        licensing = {
            name: written
            for name, written in texts.items()
            if _is_licence_file(name) and not _only_offers_choice(written)
        }
        named = {name: recognise_licence(written) for name, written in licensing.items()}
        found = {spdx for spdx in named.values() if spdx}
        licences = {name: spdx for name, spdx in named.items() if spdx or len(texts[name]) > MAX_NOTE_CHARS}
        if found and len(found) == len(set(licences.values())) and _is_choice(found, licences):
            return " OR ".join(sorted(found))
        if found:
            return ""
        pairs = ((one, name) for one in _table().manifests for name in texts if fnmatchcase(name, one.file))
        said = (re.search(one.declares, texts[name]) for one, name in pairs)
        return next((spdx for match in said if match and (spdx := spdx_of_declaration(match[1]))), "")

    def _read(self, blob: str) -> str:
        try:
            return to_text(self._objects.read(blob)[:MAX_LICENCE_BYTES])
        except GitFailed:
            return ""


def _only_offers_choice(written: str) -> bool:
    """Whether a text only says that there is a choice: it names licences, and is none."""
    return len(written) <= MAX_CHOICE_CHARS and bool(CHOICE_PHRASE.search(" ".join(written.lower().split())))


def _is_choice(found: set[str], licences: dict[str, str]) -> bool:
    """Two files of different licences are a choice only where their names say which is which."""
    return len(found) == 1 or all(LICENCE_FILE_NAME.search(name.lower()) for name in licences)


@lru_cache(maxsize=10_000)
def _is_relevant_file(name: str) -> bool:
    return _is_licence_file(name) or any(fnmatchcase(name, one.file) for one in _table().manifests)


def _is_licence_file(name: str) -> bool:
    return any(fnmatchcase(name.lower(), pattern) for pattern in _table().files)
