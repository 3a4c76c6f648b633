"""What lies between two commits: the files, and the patch in two parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from pipelines.swe.git import DIFF, git, text
from pipelines.swe.model import ChangedFile
from pipelines.swe.paths import sort_of

STATUS: dict[str, Literal["added", "modified", "deleted"]] = {"A": "added", "D": "deleted"}


def changed_files(repo: Path, old: str, new: str) -> tuple[ChangedFile, ...]:
    """The files that differ, by path. A name that is not UTF-8 is shown with escapes."""
    out = git(repo, "diff", *DIFF, "--raw", "--numstat", "-z", old, new)
    status: dict[bytes, str] = {}
    files = []
    fields = iter(out.split(b"\0"))
    for field in fields:
        if field.startswith(b":"):
            status[next(fields)] = field.split(b" ")[-1].decode()
        elif field:
            files.append(_file(field, status))
    return tuple(sorted(files, key=lambda file: file.path))


def _file(row: bytes, status: dict[bytes, str]) -> ChangedFile:
    added, removed, path = row.split(b"\t", 2)
    binary = added == b"-"
    return ChangedFile(
        path=text(path),
        status=STATUS.get(status.get(path, "M")[:1], "modified"),
        added=0 if binary else int(added),
        removed=0 if binary else int(removed),
        binary=binary,
        sort=sort_of(text(path)),
    )


def patch(repo: Path, old: str, new: str, paths: Sequence[str] | None = None) -> bytes:
    """The patch over these paths (over all of them when None), as git would apply it."""
    if paths is not None and not paths:
        return b""
    where = ("--", *paths) if paths else ()
    return git(repo, "--literal-pathspecs", "diff", *DIFF, "--binary", "--full-index", "--unified=3", old, new, *where)


def added_lines(patch: str) -> Iterator[str]:
    """The lines a patch adds."""
    for line in patch.splitlines():
        if line.startswith("+") and not line.startswith("+++"):
            yield line[1:]
