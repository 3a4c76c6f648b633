"""Reads what a box has written over its image from the engine's own folders, where they are overlayfs on this machine.

No process of the box may run meanwhile. Links are never followed: every folder on the way is looked at before it is
entered. What only looks changed, since the kernel copied it up before it was put back as it was, is left out.
"""

from __future__ import annotations

import os
import posixpath
import stat
import tarfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from envs.docker.layer_archive import (
    ATTRIBUTE_HEADER,
    Entry,
    Scope,
    TooLarge,
    keeps_attribute,
    link_names,
    make_entry,
    make_whiteout,
    parent_paths,
)

KINDS = {
    stat.S_IFREG: tarfile.REGTYPE,
    stat.S_IFDIR: tarfile.DIRTYPE,
    stat.S_IFLNK: tarfile.SYMTYPE,
    stat.S_IFIFO: tarfile.FIFOTYPE,
    stat.S_IFCHR: tarfile.CHRTYPE,
    stat.S_IFBLK: tarfile.BLKTYPE,
}
FOREIGN_MARKS = ("trusted.overlay.redirect", "trusted.overlay.metacopy")
"""Marks of a layer whose files are not all in its own folder."""


class NotPlain(Exception):
    """The layer cannot be read from its folder alone: the engine must be asked."""


@dataclass(frozen=True)
class Overlay:
    """The folders of one container's files: what it wrote, and its image's layers, the uppermost first."""

    upper: str
    lowers: tuple[str, ...]

    def find_lower(self, path: str) -> str:
        """Where the image has this path; empty when it has none."""
        for layer in self.lowers:
            place, hides = _descend(layer, path)
            if place:
                return place
            if hides:
                return ""
        return ""

    def list_lower(self, folder: str) -> set[str]:
        """The names that the image has in this folder."""
        names: set[str] = set()
        hidden: set[str] = set()
        for layer in self.lowers:
            place, hides = _descend(layer, folder)
            if place and stat.S_ISDIR(os.lstat(place).st_mode):
                found = {entry.name: _is_whiteout(entry.stat(follow_symlinks=False)) for entry in os.scandir(place)}
                names |= {name for name, gone in found.items() if not gone} - hidden
                hidden |= {name for name, gone in found.items() if gone}
                hides = hides or is_opaque(place)
            if hides or (place and not stat.S_ISDIR(os.lstat(place).st_mode)):
                break
        return names


def read_overlay(overlay: Overlay, scope: Scope) -> list[Entry]:
    """Every path in scope that differs from the image, and the folders above each. TooLarge past the limit; NotPlain
    when the folder does not tell all."""
    found: dict[str, Entry] = {}
    kept: set[str] = set()
    names: dict[int, list[str]] = defaultdict(list)
    """The paths of each regular file that has several, by its inode: its content is read and counted once."""
    total = 0
    for path, facts, is_new in _walk(overlay, scope):
        if facts is None:
            found[path] = make_whiteout(path)
            kept.add(path)
            continue
        is_regular = stat.S_ISREG(facts.st_mode)
        twins = names[facts.st_ino] if is_regular and facts.st_nlink > 1 else []
        total += facts.st_size if is_regular and not twins else 0
        if total > scope.limit:
            raise TooLarge
        data = found[twins[0]].data if twins else None
        found[path] = _read_entry(posixpath.join(overlay.upper, path), path, facts, data)
        twins.append(path)
        if scope.wants(path, found[path].header.isdir()) and (is_new or not _is_same(overlay, found[path])):
            kept.add(path)
    several = [paths for paths in names.values() if len(paths) > 1 and not kept.isdisjoint(paths)]
    kept.update(*several)  # a file of the image that got another name has changed
    wanted = kept | {parent for path in kept for parent in parent_paths(path)}
    return link_names((entry for path, entry in found.items() if path in wanted), several)


def _walk(overlay: Overlay, scope: Scope) -> Iterator[tuple[str, os.stat_result | None, bool]]:
    """Every path that the container wrote: what it is now, None when it is gone, and whether it hides what the image
    had there, so that there is nothing to compare it with."""
    folders = [("", False)]
    while folders:
        folder, hides = folders.pop()
        names = [entry.name for entry in os.scandir(posixpath.join(overlay.upper, folder))]
        gone = overlay.list_lower(folder) - set(names) if hides else set()
        for path in (posixpath.join(folder, name) for name in sorted({*names, *gone})):
            if not scope.includes(path):
                continue
            place = posixpath.join(overlay.upper, path)
            facts = None if posixpath.basename(path) in gone else os.lstat(place)
            if facts is None or _is_whiteout(facts):
                if scope.wants(path) and overlay.find_lower(path):
                    yield path, None, True
            elif stat.S_ISDIR(facts.st_mode):
                _raise_if_foreign(place)
                yield path, facts, hides
                folders.append((path, hides or is_opaque(place)))
            elif scope.wants(path) and not stat.S_ISSOCK(facts.st_mode):
                _raise_if_foreign(place)
                yield path, facts, hides


def _read_entry(place: str, path: str, facts: os.stat_result, data: bytes | None = None) -> Entry:
    """One path as an entry; `data` is its content where that has been read under another name."""
    header = tarfile.TarInfo(path)
    header.type = KINDS[stat.S_IFMT(facts.st_mode)]
    header.mode, header.uid, header.gid = facts.st_mode, facts.st_uid, facts.st_gid
    header.linkname = str(Path(place).readlink()) if header.issym() else ""
    header.devmajor, header.devminor = os.major(facts.st_rdev), os.minor(facts.st_rdev)
    header.pax_headers = _read_attributes(place)
    if data is None:
        data = read_regular(place) if header.isreg() else b""
    return make_entry(header, path, data)


def _read_attributes(place: str) -> dict[str, str]:
    """The extended attributes that are kept, as a header holds them."""
    names = [name for name in os.listxattr(place, follow_symlinks=False) if keeps_attribute(name)]
    return {ATTRIBUTE_HEADER + name: _attribute(place, name).decode("utf-8", "surrogateescape") for name in names}


def read_regular(place: str) -> bytes:
    """The bytes of a file that is no link."""
    with os.fdopen(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        return file.read()


def _is_same(overlay: Overlay, entry: Entry) -> bool:
    """Whether the image has the very same at the entry's path."""
    lower = overlay.find_lower(entry.path)
    if not lower:
        return False
    facts = os.lstat(lower)
    if stat.S_ISSOCK(facts.st_mode) or (entry.header.isreg() and facts.st_size != entry.header.size):
        return False
    before = _read_entry(lower, entry.path, facts)
    return (before.header.get_info(), before.header.pax_headers, before.data) == (
        entry.header.get_info(),
        entry.header.pax_headers,
        entry.data,
    )


def _descend(layer: str, path: str) -> tuple[str, bool]:
    """Where a layer has the path, else empty; and whether it hides the path in the layers beneath."""
    place, opaque = layer, False
    parts = path.split("/") if path else []
    for number, part in enumerate(parts, start=1):
        place = posixpath.join(place, part)
        try:
            facts = os.lstat(place)
        except FileNotFoundError:
            return "", opaque
        if _is_whiteout(facts):
            return "", True
        if number < len(parts) and not stat.S_ISDIR(facts.st_mode):
            return "", True
        if number < len(parts):
            opaque = opaque or is_opaque(place)
    return place, opaque


def _is_whiteout(facts: os.stat_result) -> bool:
    return stat.S_ISCHR(facts.st_mode) and facts.st_rdev == 0


def is_opaque(place: str) -> bool:
    """Whether the folder stands in for all that the layers beneath have there."""
    return _attribute(place, "trusted.overlay.opaque") == b"y"


def _raise_if_foreign(place: str) -> None:
    if any(_attribute(place, mark) for mark in FOREIGN_MARKS):
        raise NotPlain(place)


def _attribute(place: str, name: str) -> bytes:
    """An extended attribute; empty when there is none."""
    with suppress(OSError):
        return os.getxattr(place, name, follow_symlinks=False)
    return b""
