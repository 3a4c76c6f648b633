"""What a git repository holds, so that two can be compared by meaning: commits, branches, tags, stashes, the index and
the settings. Dates and committers do not count, nor do the hashes that follow from them, nor how objects are packed.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

from crucible.domains.terminal import describe_repositories
from crucible.record import Record

DESCRIBE = Path(describe_repositories.__file__)
"""The program whose output `parse_repositories` reads; it is run where the scenes lie."""
DEFAULT_SETTINGS = frozenset(
    {"core.repositoryformatversion=0", "core.filemode=true", "core.bare=false", "core.logallrefupdates=true"}
)
"""Settings that every new repository has."""
NAME_LENGTH = 10
INDEX_HEAD, INDEX_ENTRY = 12, 62
"""Bytes of the index before its first entry, and of an entry before its path."""


class Repository(Record):
    """What a repository holds; each field is compared as a whole."""

    head: str
    """The branch that is checked out, or the commit where none is."""
    refs: tuple[str, ...] = ()
    """Branches, tags and stashes, each with its commit."""
    commits: tuple[str, ...] = ()
    """Every commit that a ref leads to: its name, its parents, its tree, its author and its message."""
    index: tuple[str, ...] = ()
    """What is staged: mode, hash of the content, stage and path."""
    status: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()
    """Merges and the like that wait to be ended."""

    def lines(self) -> list[str]:
        """All of it, one fact a line."""
        parts = {
            "ref": self.refs,
            "commit": self.commits,
            "staged": self.index,
            "status": self.status,
            "setting": self.settings,
            "unfinished": self.unfinished,
        }
        return [f"head {self.head}", *(f"{name} {fact}" for name, facts in parts.items() for fact in facts)]


def parse_repositories(output: str) -> dict[str, dict[str, Repository]]:
    """The repositories by scene and by their folder below it; the scene's own folder is `.`."""
    found: dict[str, dict[str, Repository]] = {}
    for place, facts in (json.loads(output) if output.strip() else {}).items():
        scene, _, folder = place.partition("/")
        if facts["head"]:
            found.setdefault(scene, {})[folder or "."] = _read_repository(facts)
    return found


def _read_repository(facts: Mapping[str, list[str]]) -> Repository:
    names, commits = _name_commits(facts["commits"])
    [head] = facts["head"]
    return Repository(
        head=head.removeprefix("refs/heads/") if head.startswith("refs/") else names.get(head, head),
        refs=(*_read_refs(facts["refs"], names), *_read_stashes(facts["stashes"], names)),
        commits=tuple(sorted(commits)),
        index=tuple(facts["index"]),
        status=tuple(sorted(facts["status"])),
        settings=tuple(sorted(line for line in facts["settings"] if line not in DEFAULT_SETTINGS)),
        unfinished=tuple(facts["unfinished"]),
    )


def _name_commits(log: list[str]) -> tuple[dict[str, str], list[str]]:
    """A name for each commit, by its hash, that depends on what it holds and not on when it was made; and their lines.
    The log has parents before children."""
    names: dict[str, str] = {}
    lines = []
    for commit in log:
        sha, parents, tree, author, message = commit.split("\x02")
        before = " ".join(names.get(parent, parent) for parent in parents.split())
        said = message.strip().replace("\n", "\\n")
        content = f"parents ({before}) tree {tree[:NAME_LENGTH]} by {author}: {said}"
        names[sha] = hashlib.sha256(content.encode(errors="replace")).hexdigest()[:NAME_LENGTH]
        lines.append(f"{names[sha]} {content}")
    return names, lines


def _read_refs(refs: list[str], names: Mapping[str, str]) -> Iterator[str]:
    for line in refs:
        ref, kind, sha, target, subject = line.split("\0")
        if ref == "refs/stash":  # told by the list of stashes
            continue
        if kind == "tag":
            yield f"{ref} {names.get(target, target)} annotated: {subject}"
        else:
            yield f"{ref} {names.get(sha, sha)}"


def _read_stashes(stashes: list[str], names: Mapping[str, str]) -> Iterator[str]:
    for number, sha in enumerate(stashes):
        yield f"stash@{{{number}}} {names.get(sha, sha)}"


def is_inside_git(path: str) -> bool:
    """Whether a path is one of git's own files, which are not compared one by one; hooks are, as they are programs."""
    parts = path.split("/")
    if ".git" not in parts:
        return False
    inner = parts[parts.index(".git") + 1 :]
    return not (len(inner) == 2 and inner[0] == "hooks" and not inner[1].endswith(".sample"))


def forget_stat_data(index: bytes) -> bytes:
    """An index without what it remembers of where and when files were seen: the same staged files give the same bytes.
    One that cannot be read, or of another version than 2, stays as it is."""
    if len(index) < INDEX_HEAD + 20 or index[:8] != b"DIRC\0\0\0\2":
        return index
    data, place = bytearray(index[:-20]), INDEX_HEAD
    for _ in range(struct.unpack(">I", index[8:12])[0]):
        if place + INDEX_ENTRY > len(data):
            return index
        data[place : place + 24] = bytes(24)  # changed, modified, device, inode
        data[place + 28 : place + 36] = bytes(8)  # user, group
        length = struct.unpack(">H", data[place + 60 : place + 62])[0] & 0xFFF
        place += (INDEX_ENTRY + length + 8) // 8 * 8
    return bytes(data) + hashlib.sha1(data, usedforsecurity=False).digest()
