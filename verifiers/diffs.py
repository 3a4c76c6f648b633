"""An attempt's diff as data: which files it touches and which lines it adds."""

from __future__ import annotations

from collections.abc import Iterator

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from crucible.errors import Undecided
from crucible.record import Record


class Added(Record):
    """One added line."""

    path: str
    number: int
    text: str


class UnreadableDiff(Undecided):
    """The diff cannot be taken apart."""


def touched(diff: bytes) -> tuple[str, ...]:
    """Every path the diff names, old names and new ones."""
    names = set()
    for file in _parsed(diff):
        names |= {plain(name) for name in (file.source_file, file.target_file) if name and name != "/dev/null"}
    return tuple(sorted(names))


def added(diff: bytes) -> Iterator[Added]:
    """Every added line of text."""
    for file in _parsed(diff):
        for hunk in file:
            for line in hunk.target_lines():
                if line.is_added:
                    yield Added(
                        path=plain(file.target_file), number=line.target_line_no or 0, text=line.value.rstrip("\n")
                    )


def _parsed(diff: bytes) -> PatchSet:
    try:
        return PatchSet(diff.decode("utf-8", "backslashreplace"))
    except UnidiffParseError as broken:
        raise UnreadableDiff(str(broken)) from broken


def plain(name: str) -> str:
    """A name as it is in the tree: git quotes odd ones, which would hide `conftest.py` behind a quotation mark."""
    if name.startswith('"') and name.endswith('"'):
        raw = name[1:-1].encode("latin-1", "backslashreplace").decode("unicode_escape")
        name = raw.encode("latin-1", "backslashreplace").decode("utf-8", "backslashreplace")
    return name[2:] if name[:2] in ("a/", "b/") else name
