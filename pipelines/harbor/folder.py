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
"""What makes a folder a task's."""
MAX_FILE_BYTES = 300 << 20
MAX_FOLDER_BYTES = 600 << 20
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
        status = file.lstat()
        self.path, self.size, self.file = file.relative_to(root).as_posix(), status.st_size, file
        self.executable = bool(status.st_mode & stat.S_IXUSR)
        if not stat.S_ISREG(status.st_mode):
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
        """The bytes, one more than the archive says there are at most: limits were held against what it says."""
        with self.archive.open(self.info) as opened:
            return opened.read(self.size + 1)


def read_folders(place: ImportPlace, blobs: BlobStore) -> Iterator[Folder]:
    """Every task's folder at a place: the place itself, or those below it."""
    if place.path.is_file():
        yield from _read_zip(place.path, blobs)
        return
    marked = {path.parent for path in place.path.rglob(TASK_FILE)}
    folders = sorted(folder for folder in marked if marked.isdisjoint(folder.parents))
    if not folders:
        raise CrucibleError(
            f"no {TASK_FILE} in '{place.path}' or below it", "name a Harbor task's folder, or a folder of them"
        )
    for folder in folders:
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
    """The files of a folder. Links to folders are among them, so that they are refused."""
    for above, below, files in os.walk(folder):
        for name in [*files, *(name for name in below if (Path(above) / name).is_symlink())]:
            yield OnDisk(folder, Path(above) / name)


def _zip_members(archive: zipfile.ZipFile, root: str) -> Iterator[Member]:
    for info in archive.infolist():
        if not info.is_dir() and (root == "." or info.filename.startswith(f"{root}/")):
            yield Zipped(archive, root, info)


def _store_folder(name: str, members: Iterator[Member], blobs: BlobStore) -> Folder:
    """The folder with its files in blobs; one that cannot be taken in says why."""
    try:
        files = list(_within_limits(members))
        stored = {file.path: Stored(blob=blobs.put(_read_whole(file)), executable=file.executable) for file in files}
        return Folder(name=name, files=dict(sorted(stored.items())))
    except Rejected as refused:
        return Folder(name=name, refused=refused.reason, detail=refused.detail)
    except (OSError, zipfile.BadZipFile, RuntimeError, EOFError, UnicodeError) as broken:
        return Folder(name=name, refused="unreadable", detail=str(broken)[:300])


def _within_limits(members: Iterator[Member]) -> Iterator[Member]:
    """The members as they come. Rejected when they break a limit, before one byte of them is read."""
    total = 0
    for count, file in enumerate(members, start=1):
        total += file.size
        pieces = PurePosixPath(file.path).parts
        if not pieces or file.path.startswith("/") or ".." in pieces or "\\" in file.path or "\0" in file.path:
            raise Rejected("path_leads_outside", file.path)
        if file.size > MAX_FILE_BYTES or total > MAX_FOLDER_BYTES or count > MAX_FILES:
            limits = f"at most {MAX_FILES} files of together {MAX_FOLDER_BYTES >> 20} MB"
            raise Rejected("too_large", f"{file.path}: {limits}")
        file.path.encode()  # a name that is no text is refused as unreadable
        yield file


def _read_whole(file: Member) -> bytes:
    """The bytes of a member. Rejected when there are more or fewer than were held against the limits."""
    data = file.read()
    if len(data) != file.size:
        raise Rejected("too_large", f"{file.path} is not the size that was told")
    return data
