"""A commit's files, straight from the object store: no attribute, filter or archive setting has a say.

`git archive` would leave out what a repository marks `export-ignore` (often its tests) and would run the
smudge filters its configuration names.
"""

from __future__ import annotations

import io
import posixpath
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from crucible.errors import Rejected
from crucible.record import Record
from pipelines.swe.families import is_code
from pipelines.swe.paths import sort_of
from pipelines.swe.repository.git import git

FIXED_MTIME = 1_704_067_200
"""When every file of an archive was changed, so that the same commit gives the same bytes."""
MAX_TREE_BYTES = 300 << 20
LFS_POINTER = b"version https://git-lfs.github.com/spec/"
"""How a file begins that Git LFS keeps elsewhere."""
PROGRAM = "100755"
"""git's mode of a file that can be executed."""
LINK = "120000"
"""git's mode of a symbolic link."""
SUBMODULE = b"160000"
"""git's mode of a submodule."""


class Entry(Record):
    """One file of a tree."""

    mode: str
    blob: str
    size: int
    path: str


def entries(repo: Path, commit: str) -> tuple[Entry, ...]:
    """Every file of a commit, by path. Left out are submodules and data that this clone does not have. Rejected is a
    tree that is too large, that cannot be unpacked safely, or whose code this clone does not have."""
    rows = git(repo, "ls-tree", "-r", "-l", "-z", "--full-tree", commit).split(b"\0")
    files = tuple(entry for row in rows if row and not row.startswith(SUBMODULE) and (entry := _parse_entry(row)))
    if sum(entry.size for entry in files) > MAX_TREE_BYTES:
        raise Rejected("tree_too_large", f"more than {MAX_TREE_BYTES >> 20} MB")
    return files


def _parse_entry(row: bytes) -> Entry | None:
    """The file of a row of `git ls-tree -l`; None for data whose content this clone does not have."""
    head, _, name = row.partition(b"\t")
    mode, _, blob, size = head.decode().split()
    try:
        path = name.decode()
    except UnicodeDecodeError:
        raise Rejected("odd_path", f"{name!r} is not UTF-8") from None
    if _leaves_tree(path) or ".git" in path.lower().split("/"):
        raise Rejected("odd_path", path)
    if not size.isdigit() and is_code(path):
        raise Rejected("incomplete_clone", f"the clone lacks the content of {path}")
    if not size.isdigit():
        return None
    return Entry(mode=mode, blob=blob, size=int(size), path=path)


def _leaves_tree(path: str) -> bool:
    """Whether a path leads out of the folder it is relative to."""
    return posixpath.normpath(path).startswith(("..", "/"))


def read_contents(repo: Path, files: Sequence[Entry]) -> Iterator[tuple[Entry, bytes]]:
    """The bytes of these files, in order, from one git process."""
    names = "".join(f"{entry.blob}\n" for entry in files).encode()
    out = io.BytesIO(git(repo, "cat-file", "--batch", data=names)) if files else io.BytesIO()
    for entry in files:
        size = int(out.readline().split()[-1])
        yield entry, out.read(size)
        out.read(1)


def archive(repo: Path, commit: str) -> bytes:
    """The files of a commit as a tar archive: the same commit gives the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for entry, data in read_contents(repo, entries(repo, commit)):
            _add_to_tar(tar, entry, data)
    return buffer.getvalue()


def _add_to_tar(tar: tarfile.TarFile, entry: Entry, data: bytes) -> None:
    if data.startswith(LFS_POINTER) and sort_of(entry.path) in ("test", "source"):
        raise Rejected("lfs_pointer", f"the content of {entry.path} is kept elsewhere")
    info = tarfile.TarInfo(entry.path)
    info.mtime, info.mode = FIXED_MTIME, 0o755 if entry.mode == PROGRAM else 0o644
    if entry.mode == LINK:
        info.type, info.linkname = tarfile.SYMTYPE, _link_target(entry, data)
        tar.addfile(info)
        return
    info.size = len(data)
    tar.addfile(info, io.BytesIO(data))


def _link_target(entry: Entry, data: bytes) -> str:
    target = data.decode(errors="replace")
    if target.startswith("/") or _leaves_tree(posixpath.join(posixpath.dirname(entry.path), target)):
        raise Rejected("link_leaves_tree", f"{entry.path} -> {target}")
    return target
