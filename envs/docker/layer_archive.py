"""The form in which what differs from an image is kept: a tar as image layers are, always of the same bytes.

Entries are sorted by path and have no time. A path that is gone is an empty entry `.wh.NAME` beside where it was. Two
names of one file become two files. Files that are themselves called `.wh.*` cannot be told and are left out, as are
sockets.
"""

from __future__ import annotations

import io
import posixpath
import re
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass

WHITEOUT = ".wh."
"""What stands before the name of a path that is gone."""
CAPABILITY = "security.capability"
"""The only extended attribute that is kept: what a program may do beyond its user."""
CAPABILITY_HEADER = f"SCHILY.xattr.{CAPABILITY}"
KEPT_KINDS = (tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE)


class TooLarge(Exception):
    """There is more than may be kept."""


@dataclass(frozen=True)
class Scope:
    """Which paths are kept, without their leading slash."""

    left_out: frozenset[str]
    """Paths that are none of the attempt's, with all beneath them."""
    outputs: re.Pattern[str] | None = None
    """Matches the absolute paths that are kept; None: all."""
    limit: int = 1 << 26
    """Bytes of content."""

    def includes(self, path: str) -> bool:
        """Whether what is at or beneath this path may be kept."""
        return path not in self.left_out and not posixpath.basename(path).startswith(WHITEOUT)

    def wants(self, path: str, is_folder: bool = False) -> bool:
        """Whether the path is kept for its own sake."""
        return self.outputs is None or (not is_folder and self.outputs.fullmatch("/" + path) is not None)


@dataclass(frozen=True)
class Entry:
    """One path that differs from the image, without its leading slash, or a whiteout."""

    header: tarfile.TarInfo
    data: bytes = b""

    @property
    def path(self) -> str:
        """The path it is about: of a whiteout, the one that is gone."""
        folder, name = posixpath.split(self.header.name)
        return posixpath.join(folder, name.removeprefix(WHITEOUT))

    @property
    def is_whiteout(self) -> bool:
        return posixpath.basename(self.header.name).startswith(WHITEOUT)


def make_entry(found: tarfile.TarInfo, path: str, data: bytes = b"") -> Entry:
    """An entry with what counts of a header: kind, mode, owner, link, device, capability, and no time."""
    header = tarfile.TarInfo(path)
    header.type, header.size = found.type, len(data)
    header.mode = 0o777 if found.issym() else found.mode & 0o7777
    header.uid, header.gid, header.linkname = found.uid, found.gid, found.linkname
    header.devmajor, header.devminor = (found.devmajor, found.devminor) if found.isdev() else (0, 0)
    if capability := found.pax_headers.get(CAPABILITY_HEADER):
        header.pax_headers = {CAPABILITY_HEADER: capability}
    return Entry(header, data)


def make_whiteout(path: str) -> Entry:
    """The entry that says a path is gone."""
    folder, name = posixpath.split(path)
    header = tarfile.TarInfo(posixpath.join(folder, WHITEOUT + name))
    header.mode = 0
    return Entry(header)


def pack_entries(entries: Iterable[Entry]) -> bytes:
    """The entries as a tar, parents before what is in them."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT, encoding="utf-8") as archive:
        for entry in sorted(entries, key=lambda entry: entry.header.name.encode(errors="surrogateescape")):
            archive.addfile(entry.header, io.BytesIO(entry.data))
    return buffer.getvalue()


def read_entries(packed: bytes) -> list[Entry]:
    """The entries of a packed archive."""
    with tarfile.open(fileobj=io.BytesIO(packed), encoding="utf-8") as archive:
        return [Entry(header, _content(archive, header)) for header in archive]


def parent_paths(path: str) -> list[str]:
    """The folders above a path, outermost first."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _content(archive: tarfile.TarFile, header: tarfile.TarInfo) -> bytes:
    handle = archive.extractfile(header) if header.isreg() else None
    return handle.read() if handle else b""
