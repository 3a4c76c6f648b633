"""The form in which what differs from an image is kept: a tar as image layers are, always of the same bytes.

Entries are sorted by path and have no time. A path that is gone is an empty entry `.wh.NAME` beside where it was. Of
the names of one file the first has the content and the others are hard links to it. Files that are themselves called
`.wh.*` cannot be told and are left out, as are sockets.
"""

from __future__ import annotations

import copy
import io
import posixpath
import re
import tarfile
from collections.abc import Collection, Iterable
from dataclasses import dataclass

WHITEOUT = ".wh."
"""What stands before the name of a path that is gone."""
CAPABILITY = "security.capability"
"""The extended attribute that says what a program may do beyond its user."""
ATTRIBUTE_HEADER = "SCHILY.xattr."
"""What stands before the name of an extended attribute in an entry's header."""
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
    """An entry with what counts of a header: kind, mode, owner, link, device, extended attributes, and no time."""
    header = tarfile.TarInfo(path)
    header.type, header.size = found.type, len(data)
    header.mode = 0o777 if found.issym() else found.mode & 0o7777
    header.uid, header.gid, header.linkname = found.uid, found.gid, found.linkname
    header.devmajor, header.devminor = (found.devmajor, found.devminor) if found.isdev() else (0, 0)
    attributes = sorted(name for name in found.pax_headers if name.startswith(ATTRIBUTE_HEADER))
    kept = [name for name in attributes if keeps_attribute(name.removeprefix(ATTRIBUTE_HEADER))]
    header.pax_headers = {name: found.pax_headers[name] for name in kept}
    return Entry(header, data)


def keeps_attribute(name: str) -> bool:
    """Whether an extended attribute is kept: a user's own whose name a header can hold, or a program's capabilities.
    `user.overlay.` is how a file system of layers marks its own files."""
    is_own = name.startswith("user.") and not name.startswith("user.overlay.")
    return name == CAPABILITY or (is_own and "=" not in name and name.isprintable())


def link_names(entries: Iterable[Entry], names: Iterable[Collection[str]]) -> list[Entry]:
    """The entries with hard links for copies; `names` are the paths that each file has. Owner, mode and attributes are
    told of every name: whoever lays the owner of one takes the capabilities away again."""
    firsts = {path: min(paths, key=_sort_key) for paths in names for path in paths}
    return [_make_link(entry, firsts.get(entry.path, entry.path)) for entry in entries]


def _make_link(entry: Entry, first: str) -> Entry:
    if entry.path == first:
        return entry
    header = copy.copy(entry.header)
    header.type, header.linkname, header.size = tarfile.LNKTYPE, first, 0
    return Entry(header)


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
        for entry in sorted(entries, key=lambda entry: _sort_key(entry.header.name)):
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


def _sort_key(path: str) -> bytes:
    return path.encode(errors="surrogateescape")


def _content(archive: tarfile.TarFile, header: tarfile.TarInfo) -> bytes:
    handle = archive.extractfile(header) if header.isreg() else None
    return handle.read() if handle else b""
