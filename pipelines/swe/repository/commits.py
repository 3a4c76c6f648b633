"""The main line of a repository with what each commit changes, newest first, from one git process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pipelines.swe.repository.git import DIFF_OPTIONS, GitFailed, git, stream_fields, to_text

T = TypeVar("T")

FIELDS = ("%H", "%P", "%cI", "%an", "%cn", "%B")
"""Of each commit: hash, parents, date, author, committer, message."""
LOG_OPTIONS = ("--encoding=UTF-8", "-z", "--format=tformat:" + "%x00".join(FIELDS))
FIRST_PARENT = ("--first-parent", "--diff-merges=first-parent")
MAIN_LINE_LOG = ("log", *FIRST_PARENT, "--raw", "--numstat", "--no-abbrev", *DIFF_OPTIONS, *LOG_OPTIONS)
"""The git command that lists commits of a main line with the files that each changes."""
MAX_LISTED_FILES = 500
"""Beyond this a commit's files are counted as one more and not listed: no limit of the filter is near it."""


@dataclass
class Commit:
    """One commit. `raw` and `counts` are rows that git printed, by path; they are taken apart where needed."""

    id: str
    parents: tuple[str, ...]
    date: str
    author: str
    committer: str
    message: str
    raw: dict[bytes, bytes]
    counts: dict[bytes, tuple[bytes, bytes]]
    broken: str = ""
    """Why its files are not here, if they are not."""


def main_line(repo: Path) -> Iterator[Commit]:
    """Every commit on the first-parent line of HEAD, newest first, against its first parent.

    A partial clone lacks objects, a damaged one has bad ones. Then git stops at the commit that needs them:
    that one is marked, and the rest is read from its parent on.
    """
    start = "HEAD"
    while start:
        last: Commit | None = None
        try:
            for commit in _parse_commits(stream_fields(repo, *MAIN_LINE_LOG, start, "--")):
                if last:
                    yield last
                last = commit
            start = ""
        except GitFailed as failed:
            if last and _has_readable_files(repo, last.id):
                yield last
                start, last = last.parents[0], None
            last = last or read_commits(repo, [start])[0]
            last.broken = str(failed)
            start = last.parents[0] if last.parents else ""
        if last:
            yield last


def _has_readable_files(repo: Path, commit: str) -> bool:
    """Whether git can say what this one commit changes."""
    try:
        git(repo, *MAIN_LINE_LOG, "-1", commit, "--")
    except GitFailed:
        return False
    return True


def read_commit(repo: Path, id: str) -> Commit:
    """One commit with the files that it changes, against its first parent."""
    return next(_parse_commits(stream_fields(repo, *MAIN_LINE_LOG, "-1", id, "--")))


def read_commits(repo: Path, ids: Sequence[str]) -> list[Commit]:
    """Commits by their hashes, without the files that they change."""
    if not ids:
        return []
    names = "\n".join(ids).encode() + b"\n"
    out = git(repo, "log", "--no-walk=unsorted", "--stdin", *LOG_OPTIONS, data=names)
    return list(_parse_commits(iter(out.split(b"\0"))))


def commits_brought(repo: Path, base: str, tip: str) -> dict[str, list[Commit]]:
    """The commits that each commit of the main line between `base` and `tip` brought to it: itself first, newest first.

    The main line is walked from its oldest commit on: what an earlier one brought is there when a later one comes.
    """
    out = git(repo, "log", "--topo-order", *LOG_OPTIONS, f"{base}..{tip}", "--")
    known = {commit.id: commit for commit in _parse_commits(iter(out.split(b"\0")))}
    main_line, id = [], tip
    while id in known:
        main_line.append(id)
        id = known[id].parents[0] if known[id].parents else ""
    merged: set[str] = set()
    brought: dict[str, list[Commit]] = {}
    for id in reversed(main_line):
        new = _reachable(id, known, merged)
        merged |= new
        brought[id] = [commit for commit in known.values() if commit.id in new] if len(new) > 1 else [known[id]]
    return brought


def _reachable(start: str, known: dict[str, Commit], merged: set[str]) -> set[str]:
    """The known commits that `start` is or descends from, without those that were merged before."""
    reached, waiting = set(), [start]
    while waiting:
        id = waiting.pop()
        if id in known and id not in merged and id not in reached:
            reached.add(id)
            waiting.extend(known[id].parents)
    return reached


def _parse_commits(tokens: Iterator[bytes]) -> Iterator[Commit]:
    """The commits that git's fields tell of; a failure of git is raised after the last of them.

    No field of a commit and no path can hold a NUL, so none can be taken for another: after a commit's fields come
    rows that begin with a colon, each with a path, rows with tabs, and then the next commit."""
    commit: Commit | None = None
    failure: GitFailed | None = None
    while not failure:
        try:
            token = next(tokens)
        except StopIteration:
            break
        except GitFailed as failed:
            failure = failed
            break
        row = token.lstrip(b"\n") if token[:2] == b"\n:" else token
        if commit and row.startswith(b":"):
            _add_row(commit.raw, next(tokens), row)
        elif commit and b"\t" in row:
            added, removed, path = row.lstrip(b"\n").split(b"\t", 2)
            _add_row(commit.counts, path, (added, removed))
        elif row.strip():
            if commit:
                yield commit
            commit = _parse_commit(row, tokens)
    if commit:
        yield commit
    if failure:
        raise failure


def _add_row(rows: dict[bytes, T], path: bytes, row: T) -> None:
    if len(rows) <= MAX_LISTED_FILES:
        rows[path] = row


def _parse_commit(first: bytes, tokens: Iterator[bytes]) -> Commit:
    parents, date, author, committer, message = (to_text(next(tokens, b"")) for _ in FIELDS[1:])
    return Commit(to_text(first.strip()), tuple(parents.split()), date, author, committer, message, {}, {})
