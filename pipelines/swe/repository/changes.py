"""What lies between two commits: the files, and the patch in two parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pipelines.swe.model import ChangedFile
from pipelines.swe.paths import sort_of
from pipelines.swe.repository.git import DIFF_OPTIONS, git, to_text

STATUS: dict[str, Literal["added", "modified", "deleted"]] = {"A": "added", "D": "deleted"}
"""By git's letter; any other letter is a modification."""
SPECIAL: dict[bytes, Literal["submodule", "link"]] = {b"160000": "submodule", b"120000": "link"}
"""By git's file mode; any other mode is a plain file."""
SplitFiles = Mapping[str, tuple[bytes, bytes]]
"""The patch of a file's code and the patch of the tests within it, by path."""
FILE_HEAD = re.compile(rb"^diff --git ", re.MULTILINE)  # matches the start of: diff --git a/x.py b/x.py
PATCH_OPTIONS = (*DIFF_OPTIONS, "--binary", "--full-index", "--unified=3")
"""Options for a patch that `git apply` takes, binary files included."""


def changed_files(repo: Path, old: str, new: str) -> tuple[ChangedFile, ...]:
    """The files that differ, by path. A name that is not UTF-8 is shown with escapes."""
    out = git(repo, "diff", *DIFF_OPTIONS, "--raw", "--numstat", "-z", old, new)
    raw: dict[bytes, bytes] = {}
    counts: dict[bytes, tuple[bytes, bytes]] = {}
    fields = iter(out.split(b"\0"))
    for field in fields:
        if field.startswith(b":"):
            raw[next(fields)] = field
        elif field:
            added, removed, path = field.split(b"\t", 2)
            counts[path] = added, removed
    return files_from_rows(raw, counts)


def files_from_rows(raw: Mapping[bytes, bytes], counts: Mapping[bytes, tuple[bytes, bytes]]) -> tuple[ChangedFile, ...]:
    """The files of git's `--raw` and `--numstat` rows, by path."""
    files = [_file_from_row(path, row, *counts.get(path, (b"0", b"0"))) for path, row in raw.items()]
    return tuple(sorted(files, key=lambda file: file.path))


def _file_from_row(path: bytes, row: bytes, added: bytes, removed: bytes) -> ChangedFile:
    old, new, *_, status = row.split()
    binary = added == b"-"
    return ChangedFile(
        path=to_text(path),
        status=STATUS.get(status.decode()[:1], "modified"),
        added=0 if binary else int(added),
        removed=0 if binary else int(removed),
        binary=binary,
        sort=sort_of(to_text(path)),
        special=SPECIAL.get(new, SPECIAL.get(old[1:], "")),
    )


def read_patch(repo: Path, old: str, new: str, paths: Sequence[str] | None = None) -> bytes:
    """The patch over these paths (over all of them when None), as git would apply it."""
    if paths is not None and not paths:
        return b""
    where = ("--", *paths) if paths else ()
    return git(repo, "--literal-pathspecs", "diff", *PATCH_OPTIONS, old, new, *where)


def tree_patch(repo: Path, old: str, new: str) -> bytes:
    """The patch from the tree of one commit to that of another, without submodules, which `trees.entries` leaves out
    as well."""
    return git(repo, "diff", *PATCH_OPTIONS, "--ignore-submodules=all", old, new)


def read_patches(repo: Path, pairs: Sequence[tuple[str, str]]) -> dict[str, bytes]:
    """The patches between many pairs of commits, old and new, by the new one, from one git process.

    Before each patch stands the new commit's hash on a line of its own, and no line of a patch looks like that.
    """
    if not pairs:
        return {}
    names = "".join(f"{new} {old}\n" for old, new in pairs).encode()
    out = git(repo, "diff-tree", "--stdin", "-r", "-p", *PATCH_OPTIONS, data=names)
    hashes = b"|".join(new.encode() for _, new in pairs)
    heads = list(re.finditer(rb"^(%s)\n\n?" % hashes, out, re.MULTILINE))  # matches: 3f2a...\n
    ends = [head.start() for head in heads[1:]] + [len(out)]
    return {head[1].decode(): out[head.end() : end] for head, end in zip(heads, ends, strict=False)}


def split_patch(patch: bytes, files: Sequence[ChangedFile], split: SplitFiles) -> tuple[bytes, bytes] | None:
    """The patch of everything but the tests, and the patch of the tests; None when it cannot be cut at its files.
    `split` are the files that have code and tests in them, cut in two already.

    A line of a file's content always begins with a sign or a space, so it cannot be taken for a file's head.
    """
    starts = [head.start() for head in FILE_HEAD.finditer(patch)]
    pieces = [patch[start:end] for start, end in zip(starts, [*starts[1:], len(patch)], strict=False)]
    ordered = sorted(files, key=lambda file: file.path.encode())
    if len(pieces) != len(ordered):  # a file that became a link has two heads
        return None
    halves = [
        split.get(file.path, (b"", piece) if file.sort == "test" else (piece, b""))
        for piece, file in zip(pieces, ordered, strict=True)
    ]
    return b"".join(source for source, _ in halves), b"".join(tests for _, tests in halves)


def changed_lines(patch: str) -> Iterator[str]:
    """The lines that a patch adds or removes, in the patch's order, each with its sign and without its indent.
    Lists of benchmark instances hold hashes of these lines: they must stay as they are."""
    for line in patch.splitlines():
        if line.startswith(("+", "-")) and not line.startswith(("+++", "---")):
            yield line[0] + line[1:].strip()
