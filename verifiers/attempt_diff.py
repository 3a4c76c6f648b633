"""An attempt's diff as data: which paths it touches and which lines it adds.

An attempt's diff is hostile input, so `crucible.domains.code.patches.changes` is not used for it. That function drops
the old name of a renamed file, leaves names quoted as git wrote them (which would hide `conftest.py` from every rule
about it) and rejects the item when a patch cannot be read. Here both names count, names are unquoted, and a diff that
cannot be read leaves the attempt undecided.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from crucible.domains.code.patch_names import escape_names
from crucible.errors import Undecided
from crucible.record import Record


class AddedLine(Record):
    """One line that the diff adds to a text file."""

    path: str
    number: int
    text: str


class UnreadableDiff(Undecided):
    """The attempt's diff cannot be parsed."""


def touched_paths(diff: bytes) -> tuple[str, ...]:
    """Every path the diff names, old names and new ones."""
    paths = set()
    for file in _parse(diff):
        paths |= {unquote(name) for name in (file.source_file, file.target_file) if name and name != "/dev/null"}
    return tuple(sorted(paths))


def added_lines(diff: bytes) -> Iterator[AddedLine]:
    """Every line that the diff adds to a text file."""
    for file in _parse(diff):
        for hunk in file:
            for line in hunk.target_lines():
                if line.is_added:
                    yield AddedLine(
                        path=unquote(file.target_file), number=line.target_line_no or 0, text=line.value.rstrip("\n")
                    )


def unquote(name: str) -> str:
    r"""A path as the tree has it, from a name in a diff: `"b/caf\303\251.py"` is `café.py`."""
    if name.startswith('"') and name.endswith('"'):
        raw = name[1:-1].encode("latin-1", "backslashreplace").decode("unicode_escape")
        name = raw.encode("latin-1", "backslashreplace").decode("utf-8", "backslashreplace")
    return name[2:] if name[:2] in ("a/", "b/") else name


def _parse(diff: bytes) -> PatchSet:
    try:
        return PatchSet(escape_names(diff.decode("utf-8", "backslashreplace")))
    except UnidiffParseError as broken:
        raise UnreadableDiff(str(broken)) from broken
