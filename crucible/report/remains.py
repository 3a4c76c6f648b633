"""What an attempt left, as lines for its page: its diff, or the paths of the archive that was kept of it."""

from __future__ import annotations

import io
import posixpath
import tarfile
from collections.abc import Iterator, Mapping

from crucible.errors import StoreError
from crucible.mining import BlobStore
from crucible.report.clip import Clipped

GONE = ".wh."
"""What the name of a path begins with that the attempt removed (docs/remains.md)."""


def read_remains(blobs: BlobStore, artifacts: Mapping[str, str]) -> str:
    """The diff, or a line for each path that was made, changed (`+`) or removed (`-`); empty where nothing was left."""
    try:
        if "diff" in artifacts:
            return blobs.get(artifacts["diff"]).decode("utf-8", "replace")
        archives = [blobs.get(artifacts[name]) for name in ("layer", "files") if name in artifacts]
    except StoreError as gone:
        return gone.line()
    return "\n".join(line for archive in archives for line in _list_paths(archive))


def _list_paths(archive: bytes) -> Iterator[str]:
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), encoding="utf-8", errors="replace") as members:
            yield from map(_describe_path, members)
    except tarfile.TarError as broken:
        yield f"the archive of what it left cannot be read: {broken}"


def _describe_path(member: tarfile.TarInfo) -> str:
    folder, name = posixpath.split(member.name)
    if name.startswith(GONE):
        return f"- {posixpath.join(folder, name.removeprefix(GONE))}"
    if member.isdir():
        return f"+ {member.name}/"
    if member.issym() or member.islnk():
        return f"+ {member.name} -> {member.linkname}"
    return f"+ {member.name} ({member.size:,} bytes)"


def list_lines(remains: Clipped) -> Iterator[tuple[str, str]]:
    """The lines with their kinds: what a style tells apart."""
    if remains:
        yield from ((_line_kind(line), line) for line in remains.head.splitlines())
    if remains.left_out:
        yield "cut", f"… {remains.left_out:,} characters left out …"
        yield from ((_line_kind(line), line) for line in remains.tail.splitlines())


def _line_kind(line: str) -> str:
    if line.startswith(("diff ", "index ", "--- ", "+++ ", "new file", "deleted file", "similarity", "rename")):
        return "file"
    return {"+": "add", "-": "del", "@": "hunk"}.get(line[:1], "same")
