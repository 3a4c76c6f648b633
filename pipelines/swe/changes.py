"""What lies between two commits: the files, and the patch in two parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pipelines.swe.git import DIFF, git, text
from pipelines.swe.model import ChangedFile
from pipelines.swe.paths import sort_of

STATUS: dict[str, Literal["added", "modified", "deleted"]] = {"A": "added", "D": "deleted"}
SPECIAL: dict[bytes, Literal["submodule", "link"]] = {b"160000": "submodule", b"120000": "link"}
EACH = re.compile(rb"^diff --git ", re.MULTILINE)


def changed_files(repo: Path, old: str, new: str) -> tuple[ChangedFile, ...]:
    """The files that differ, by path. A name that is not UTF-8 is shown with escapes."""
    out = git(repo, "diff", *DIFF, "--raw", "--numstat", "-z", old, new)
    raw: dict[bytes, bytes] = {}
    counts: dict[bytes, tuple[bytes, bytes]] = {}
    fields = iter(out.split(b"\0"))
    for field in fields:
        if field.startswith(b":"):
            raw[next(fields)] = field
        elif field:
            added, removed, path = field.split(b"\t", 2)
            counts[path] = added, removed
    return files_of(raw, counts)


def files_of(raw: Mapping[bytes, bytes], counts: Mapping[bytes, tuple[bytes, bytes]]) -> tuple[ChangedFile, ...]:
    """The files of git's `--raw` and `--numstat` rows, by path."""
    files = [_file(path, row, *counts.get(path, (b"0", b"0"))) for path, row in raw.items()]
    return tuple(sorted(files, key=lambda file: file.path))


def _file(path: bytes, row: bytes, added: bytes, removed: bytes) -> ChangedFile:
    old, new, *_, status = row.split()
    binary = added == b"-"
    return ChangedFile(
        path=text(path),
        status=STATUS.get(status.decode()[:1], "modified"),
        added=0 if binary else int(added),
        removed=0 if binary else int(removed),
        binary=binary,
        sort=sort_of(text(path)),
        special=SPECIAL.get(new, SPECIAL.get(old[1:], "")),
    )


def patch(repo: Path, old: str, new: str, paths: Sequence[str] | None = None) -> bytes:
    """The patch over these paths (over all of them when None), as git would apply it."""
    if paths is not None and not paths:
        return b""
    where = ("--", *paths) if paths else ()
    return git(repo, "--literal-pathspecs", "diff", *DIFF, "--binary", "--full-index", "--unified=3", old, new, *where)


def halves(repo: Path, old: str, new: str, files: Sequence[ChangedFile]) -> tuple[bytes, bytes]:
    """The patch of everything but the tests, and the patch of the tests: one diff, cut at its files.

    A line of a file's content always begins with a sign or a space, so it cannot be taken for a file's head.
    """
    whole = patch(repo, old, new)
    starts = [found.start() for found in EACH.finditer(whole)]
    pieces = [whole[start:end] for start, end in zip(starts, [*starts[1:], len(whole)], strict=True)]
    ordered = sorted(files, key=lambda file: file.path.encode("utf-8", "surrogateescape"))
    if len(pieces) != len(ordered):  # a file that became a link has two heads
        sorts = [[file.path for file in ordered if (file.sort == "test") is test] for test in (False, True)]
        return patch(repo, old, new, sorts[0]), patch(repo, old, new, sorts[1])
    both = list(zip(pieces, ordered, strict=True))
    return (
        b"".join(piece for piece, file in both if file.sort != "test"),
        b"".join(piece for piece, file in both if file.sort == "test"),
    )


def added_lines(patch: str) -> Iterator[str]:
    """The lines a patch adds."""
    for line in patch.splitlines():
        if line.startswith("+") and not line.startswith("+++"):
            yield line[1:]


def changed_lines(patch: str) -> Iterator[str]:
    """The lines a patch adds or removes, with their sign."""
    for line in patch.splitlines():
        if line.startswith(("+", "-")) and not line.startswith(("+++", "---")):
            yield line[0] + line[1:].strip()
