"""Harbor folders on disk or in a zip file, read within limits. What is wrong with one is part of its item."""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Protocol

from pydantic import Field

from crucible.errors import CrucibleError, Rejected
from crucible.mining import BlobStore, ImportPlace
from crucible.record import Record, digest

TASK_FILE = "task.toml"
MAX_FILE_BYTES, MAX_FOLDER_BYTES = 300 << 20, 600 << 20
MAX_FILES = 5000


class Stored(Record):
    """One file, its bytes in a blob."""

    blob: str
    executable: bool = False


class Folder(Record):
    """A task's folder as it was found."""

    name: str
    files: dict[str, Stored] = Field(default_factory=dict)
    """By path; none when it was refused."""
    refused: str = ""
    """The reason code when it could not be taken in, and why."""
    detail: str = ""

    @property
    def id(self) -> str:
        return f"harbor:{self.name}@{digest(self)[:12]}"


class Member(Protocol):
    """A file that is not read yet."""

    path: str
    size: int
    executable: bool

    def read(self) -> bytes: ...


class OnDisk:
    """A file of a folder."""

    def __init__(self, root: Path, file: Path) -> None:
        found = file.lstat()
        self.path, self.size, self.file = file.relative_to(root).as_posix(), found.st_size, file
        self.executable = bool(found.st_mode & stat.S_IXUSR)
        if not stat.S_ISREG(found.st_mode):
            raise Rejected("odd_file", f"{self.path} is a link or no plain file")

    def read(self) -> bytes:
        with os.fdopen(os.open(self.file, os.O_RDONLY | os.O_NOFOLLOW), "rb") as opened:
            return opened.read(self.size + 1)


class Zipped:
    """A file of a zip archive."""

    def __init__(self, archive: zipfile.ZipFile, root: str, info: zipfile.ZipInfo) -> None:
        self.path, self.size = info.filename.removeprefix(f"{root}/" if root != "." else ""), info.file_size
        self.archive, self.info = archive, info
        mode = info.external_attr >> 16
        self.executable = bool(mode & stat.S_IXUSR)
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise Rejected("odd_file", f"{self.path} is a link or no plain file")

    def read(self) -> bytes:
        """No more than the archive says it is: what it says is what the limits were held against."""
        with self.archive.open(self.info) as opened:
            return opened.read(self.size + 1)


def read_folders(place: ImportPlace, blobs: BlobStore) -> Iterator[Folder]:
    """Every task's folder at a place: the place itself, or those below it."""
    if place.path.is_file():
        yield from _read_zip(place.path, blobs)
        return
    marked = {path.parent for path in place.path.rglob(TASK_FILE)}
    found = sorted(folder for folder in marked if marked.isdisjoint(folder.parents))
    if not found:
        raise CrucibleError(
            f"no {TASK_FILE} in '{place.path}' or below it", "name a Harbor task's folder, or a folder of them"
        )
    for folder in found:
        yield _store_folder(folder.resolve().name, _disk_members(folder), blobs)


def _read_zip(path: Path, blobs: BlobStore) -> Iterator[Folder]:
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError) as broken:
        raise CrucibleError(f"'{path}' is no folder and no zip file: {broken}") from broken
    with archive:
        marked = {name.parent for name in map(PurePosixPath, archive.namelist()) if name.name == TASK_FILE}
        for root in sorted(folder for folder in marked if marked.isdisjoint(folder.parents)):
            yield _store_folder(root.name or path.stem, _zip_members(archive, str(root)), blobs)


def _disk_members(folder: Path) -> Iterator[Member]:
    for above, below, files in os.walk(folder):
        for name in [*files, *(name for name in below if (Path(above) / name).is_symlink())]:
            yield OnDisk(folder, Path(above) / name)


def _zip_members(archive: zipfile.ZipFile, root: str) -> Iterator[Member]:
    for info in archive.infolist():
        if not info.is_dir() and (root == "." or info.filename.startswith(f"{root}/")):
            yield Zipped(archive, root, info)


def _store_folder(name: str, members: Iterator[Member], blobs: BlobStore) -> Folder:
    try:
        within = list(_within_limits(members))
        stored = {one.path: Stored(blob=blobs.put(_read_whole(one)), executable=one.executable) for one in within}
        return Folder(name=name, files=dict(sorted(stored.items())))
    except Rejected as refused:
        return Folder(name=name, refused=refused.reason, detail=refused.detail)
    except (OSError, zipfile.BadZipFile, RuntimeError, EOFError, UnicodeError) as broken:
        return Folder(name=name, refused="unreadable", detail=str(broken)[:300])


def _within_limits(members: Iterator[Member]) -> Iterator[Member]:
    """The files, held against every limit before one byte of them is read."""
    total = 0
    for count, one in enumerate(members, start=1):
        total += one.size
        pieces = PurePosixPath(one.path).parts
        if not pieces or one.path.startswith("/") or ".." in pieces or "\\" in one.path or "\0" in one.path:
            raise Rejected("path_leads_outside", one.path)
        if one.size > MAX_FILE_BYTES or total > MAX_FOLDER_BYTES or count > MAX_FILES:
            raise Rejected(
                "too_large", f"{one.path}: at most {MAX_FILES} files of together {MAX_FOLDER_BYTES >> 20} MB"
            )
        one.path.encode()
        yield one


def _read_whole(one: Member) -> bytes:
    data = one.read()
    if len(data) != one.size:
        raise Rejected("too_large", f"{one.path} is not the size that was told")
    return data
