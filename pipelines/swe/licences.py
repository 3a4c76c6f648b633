"""Which licence a repository is under, told from the text of its licence file."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from crucible.datafile import rows
from crucible.record import Record
from pipelines.swe.git import git, text

HERE = Path(__file__).parent

FILES = ("licen[cs]e*", "copying*", "unlicense*")
LARGEST = 200_000


class Licence(Record):
    """One row of `licences.toml`."""

    spdx: str
    permissive: bool
    phrases: tuple[str, ...]


@cache
def _known() -> tuple[Licence, ...]:
    return rows(HERE / "licences.toml", "licences", Licence)


def recognise(written: str) -> str:
    """The SPDX name of a licence text, empty when it is none we know."""
    plain = " ".join(written.lower().split())
    return next((known.spdx for known in _known() if all(phrase in plain for phrase in known.phrases)), "")


def is_permissive(spdx: str) -> bool:
    """Whether work under that licence may be passed on freely."""
    return any(known.spdx == spdx and known.permissive for known in _known())


def licence_at(repo: Path, commit: str) -> str:
    """The licence at that commit. Several licence files that disagree are no licence."""
    listing = git(repo, "ls-tree", "-z", commit).split(b"\0")
    names = [entry.split(b"\t", 1) for entry in listing if entry.startswith(b"100")]
    found = {recognise(_read(repo, head.split()[2].decode())) for head, name in names if _is_licence(text(name))}
    return found.pop() if len(found) == 1 else ""


def _is_licence(name: str) -> bool:
    return any(fnmatchcase(name.lower(), pattern) for pattern in FILES)


def _read(repo: Path, blob: str) -> str:
    return text(git(repo, "cat-file", "blob", blob)[:LARGEST])
