"""Which licence a repository is under: by the text of its licence files, else by what its manifest declares."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path

from crucible.datafile import read_file
from crucible.record import Record
from pipelines.swe.repository.git import GitFailed, to_text
from pipelines.swe.repository.objects import Objects

TABLE_FILE = Path(__file__).with_name("licences.toml")
MAX_LICENCE_BYTES = 200_000
"""A longer licence file or manifest is read up to here."""
MAX_NOTE_CHARS = 400
"""A shorter text that is no licence is a note on which of the others applies."""
CHOICE_PHRASE = re.compile(r"licen[cs]ed under (?:the terms of )?either|dual(?:ly)?[ -]licen[cs]ed")
# matches in: licensed under either of apache license, version 2.0 or mit license
MAX_CHOICE_CHARS = 2000
"""A longer text is a licence, even where it says that there is a choice."""
NAMED_LICENCE_FILE = re.compile(r"mit|apache|bsd|unlicense|zlib|isc|boost|0bsd")  # matches in: license-mit.txt


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
    return read_file(TABLE_FILE, Table)


@cache
def _permissive() -> frozenset[str]:
    return frozenset(licence.spdx for licence in _table().licences if licence.permissive)


def recognise_licence(text: str) -> str:
    """The SPDX name of a licence text, empty when it is none we know."""
    plain = " ".join(text.lower().replace("*", " ").replace("”", '"').replace("“", '"').replace("``", '"').split())
    candidates = (licence for licence in _table().licences if licence.phrases and len(plain) <= licence.longest)
    return next((licence.spdx for licence in candidates if all(phrase in plain for phrase in licence.phrases)), "")


def spdx_of_declaration(words: str) -> str:
    """The SPDX expression that a manifest's words stand for; empty unless every licence in it is known."""
    known = {name.lower(): licence.spdx for licence in _table().licences for name in (licence.spdx, *licence.names)}
    if words.strip().lower() in known:
        return known[words.strip().lower()]
    choices = re.split(r"\s+or\s+|/|,", words.strip().strip("()").lower())  # splits: mit or apache-2.0  mit/apache-2.0
    licences = {known.get(word.strip(" ()")) for word in choices}
    return " OR ".join(sorted(spdx for spdx in licences if spdx)) if licences and None not in licences else ""


def is_permissive(spdx: str) -> bool:
    """Whether work under that licence, or under one of those to choose from, may be passed on freely."""
    return any(licence in _permissive() for licence in spdx.split(" OR "))


class Licences:
    """The licence at any commit of a repository; the same files are read once."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._known: dict[tuple[tuple[str, str], ...], str] = {}
        self._roots: dict[str, dict[bytes, str]] = {}

    def load_roots(self, commits: Sequence[str]) -> None:
        """List the files at the root of all these commits at once, and forget the commits before them: a history is
        read in order."""
        self._roots = self._objects.root_files(commits)

    def spdx_at(self, commit: str) -> str:
        """The SPDX name of the licence at a commit, empty when it is not known. Several licence files are a choice
        (`Apache-2.0 OR MIT`), unless one of them is none we know."""
        if commit not in self._roots:
            self.load_roots([commit])
        files = ((to_text(name), blob) for name, blob in self._roots[commit].items())
        relevant = tuple(sorted((name, blob) for name, blob in files if _is_relevant_file(name)))
        if relevant not in self._known:
            self._known[relevant] = _spdx_of_texts({name: self._read(blob) for name, blob in relevant})
        return self._known[relevant]

    def _read(self, blob: str) -> str:
        try:
            return to_text(self._objects.read(blob)[:MAX_LICENCE_BYTES])
        except GitFailed:
            return ""


def _spdx_of_texts(texts: Mapping[str, str]) -> str:
    """The licence that these licence files and manifests, by name, speak of; empty when it is not known."""
    licensing = [name for name, text in texts.items() if _is_licence_file(name) and not _only_offers_choice(text)]
    by_file = {name: recognise_licence(texts[name]) for name in licensing}
    recognised = {spdx for spdx in by_file.values() if spdx}
    without_notes = {name: spdx for name, spdx in by_file.items() if spdx or len(texts[name]) > MAX_NOTE_CHARS}
    if recognised and len(recognised) == len(set(without_notes.values())) and _is_choice(recognised, without_notes):
        return " OR ".join(sorted(recognised))
    if recognised:
        return ""
    declarations = (
        re.search(manifest.declares, texts[name])
        for manifest in _table().manifests
        for name in texts
        if fnmatchcase(name, manifest.file)
    )
    return next((spdx for match in declarations if match and (spdx := spdx_of_declaration(match[1]))), "")


def _only_offers_choice(text: str) -> bool:
    """Whether a text only says that there is a choice: it names licences, and is none."""
    return len(text) <= MAX_CHOICE_CHARS and bool(CHOICE_PHRASE.search(" ".join(text.lower().split())))


def _is_choice(licences: Collection[str], files: Iterable[str]) -> bool:
    """Whether several licences are a choice: only where the names of all licence files say which is which."""
    return len(licences) == 1 or all(NAMED_LICENCE_FILE.search(name.lower()) for name in files)


@lru_cache(maxsize=10_000)
def _is_relevant_file(name: str) -> bool:
    """Whether a file of that name is a licence, or a manifest that may declare one."""
    return _is_licence_file(name) or any(fnmatchcase(name, manifest.file) for manifest in _table().manifests)


def _is_licence_file(name: str) -> bool:
    return any(fnmatchcase(name.lower(), pattern) for pattern in _table().files)
