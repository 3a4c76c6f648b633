"""The main line of a repository, newest commit first, read in chunks: what is recent is what people mine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from crucible.record import Record
from pipelines.swe.git import git, text

CHUNK = 400
FIELDS = ("%H", "%P", "%cI", "%an", "%B")


class Commit(Record):
    """One commit."""

    id: str
    parents: tuple[str, ...]
    date: str
    author: str
    message: str


def main_line(repo: Path) -> Iterator[Commit]:
    """Every commit on the first-parent line of HEAD, newest first."""
    ids = git(repo, "rev-list", "--first-parent", "HEAD").decode().split()
    for start in range(0, len(ids), CHUNK):
        yield from show(repo, ids[start : start + CHUNK])


def show(repo: Path, ids: list[str]) -> list[Commit]:
    """These commits. No field of a commit can hold a NUL, so counting NULs cannot be led astray."""
    form = "--format=tformat:" + "%x00".join(FIELDS)
    names = "\n".join(ids).encode() + b"\n"
    out = git(repo, "log", "--no-walk=unsorted", "--stdin", "--encoding=UTF-8", "-z", form, data=names)
    fields = [text(field) for field in out.split(b"\0")]
    rows = zip(*[iter(fields)] * len(FIELDS), strict=False)
    return [_commit(row) for row in rows]


def brought(repo: Path, commit: Commit) -> tuple[str, ...]:
    """The commit itself and all that came to the main line with it."""
    reach = git(repo, "rev-list", "--max-count=1000", f"{commit.parents[0]}..{commit.id}")
    return tuple(reach.decode().split())


def _commit(row: tuple[str, ...]) -> Commit:
    return Commit(id=row[0], parents=tuple(row[1].split()), date=row[2], author=row[3], message=row[4])
