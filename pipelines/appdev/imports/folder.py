"""Folders of applications, read within limits. What is wrong with one is part of its item.

guest-book/
  application.toml     what is asked (`instruction`), its kind, licence and author
  rubric.toml          what it is judged by (crucible/domains/web/rubric.py)
  good/                an application that is held to be good; may be missing
  attempts/NAME/       applications to be judged; may be missing
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from pydantic import Field

from crucible.domains.web.world import read_facts
from crucible.errors import CrucibleError, Rejected
from crucible.mining import BlobStore, ImportPlace
from crucible.record import Record, digest

RUBRIC = "rubric.toml"
"""What makes a folder an application's."""
APPLICATION = "application.toml"
MAX_FILES = 2000
MAX_BYTES = 16 << 20
"""Of all files together: an attempt may not leave more (`Limits.remains_mb`)."""
MAX_TEXT_BYTES = 1 << 20
"""Of a TOML file."""


class AppFolder(Record):
    """An application's folder, or one attempt in it, as it was found."""

    name: str
    """Of the application's folder."""
    attempt: str = ""
    """The name of the attempt; empty for what is asked itself."""
    application: str = ""
    rubric: str = ""
    """The texts of the two files."""
    files: dict[str, str] = Field(default_factory=dict)
    """Digests of the files of the good application, or of the attempt, by path."""
    refused: str = ""
    """The reason code when it could not be taken in, and why."""
    detail: str = ""

    @property
    def id(self) -> str:
        return f"application:{self.name}{self.attempt and '/' + self.attempt}@{digest(self)[:12]}"

    @property
    def task_key(self) -> str:
        """Under which the task is remembered: the same for all attempts at what is asked in these words."""
        return f"application:{digest(self.name, self.application, self.rubric)}"


def read_applications(place: ImportPlace, blobs: BlobStore) -> Iterator[AppFolder]:
    """What is asked in each folder, with the application that is held to be good."""
    for folder in _find_folders(place.path):
        yield _read_folder(folder, "", folder / "good", blobs)


def read_attempts(place: ImportPlace, blobs: BlobStore) -> Iterator[AppFolder]:
    """Every attempt in each folder."""
    for folder in _find_folders(place.path):
        for files in sorted((folder / "attempts").glob("*/")):
            yield _read_folder(folder, files.name, files, blobs)


def _find_folders(path: Path) -> list[Path]:
    """The folders of applications: this one, or those right below it."""
    folders = [path] if (path / RUBRIC).is_file() else sorted(file.parent for file in path.glob(f"*/{RUBRIC}"))
    if not folders:
        raise CrucibleError(
            f"no {RUBRIC} in '{path}' or the folders in it",
            f"name a folder with {RUBRIC} and {APPLICATION}, or a folder of them (docs/appdev.md)",
        )
    return folders


def _read_folder(folder: Path, attempt: str, files: Path, blobs: BlobStore) -> AppFolder:
    """The folder with its files in blobs; one that cannot be taken in says why."""
    found = AppFolder(name=folder.resolve().name, attempt=attempt)
    try:
        texts = {"application": _read_text(folder / APPLICATION), "rubric": _read_text(folder / RUBRIC)}
        stored = {path: blobs.put(file.read_bytes()) for path, file in _list_files(files)}
        return found.model_copy(update={**texts, "files": stored})
    except Rejected as refused:
        return found.model_copy(update={"refused": refused.reason, "detail": refused.detail})
    except (OSError, UnicodeError) as broken:
        return found.model_copy(update={"refused": "unreadable", "detail": str(broken)[:300]})


def _read_text(file: Path) -> str:
    if file.stat().st_size > MAX_TEXT_BYTES:
        raise Rejected("too_large", f"{file.name} has more than {MAX_TEXT_BYTES >> 20} MB")
    return file.read_text("utf-8")


def _list_files(folder: Path) -> list[tuple[str, Path]]:
    """The files below a folder by path, without what is installed or built anew. Rejected when they break a limit,
    before one byte of them is read."""
    left_out = [pattern.rstrip("/") for pattern in (*read_facts().excluded, ".git")]
    found: list[tuple[str, Path]] = []
    total = 0
    for above, below, names in os.walk(folder):
        below[:] = sorted(name for name in below if not any(fnmatch(name, pattern) for pattern in left_out))
        for name in sorted(name for name in names if not any(fnmatch(name, pattern) for pattern in left_out)):
            file = Path(above) / name
            status = file.lstat()
            path = file.relative_to(folder).as_posix()
            if not stat.S_ISREG(status.st_mode):
                raise Rejected("odd_file", f"{path} is a link or no plain file")
            path.encode()  # a name that is no text is refused as unreadable
            total += status.st_size
            found.append((path, file))
            if total > MAX_BYTES or len(found) > MAX_FILES:
                raise Rejected("too_large", f"{path}: at most {MAX_FILES} files of together {MAX_BYTES >> 20} MB")
    return found
