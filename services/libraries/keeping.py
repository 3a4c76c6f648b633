"""Keeps packages on disk, one archive each, with the files alone that pages can load."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from posixpath import normpath, splitext
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile

MOST_FILES, LARGEST_FILE_BYTES, MOST_BYTES = 8000, 8 << 20, 96 << 20
"""What is kept of one package: whoever published it may have put anything in it."""


@dataclass(frozen=True)
class KeptPackage:
    """A package on disk. Implements `crucible.domains.web.libraries.Package`."""

    title: str
    place: Path

    @cached_property
    def sizes(self) -> dict[str, int]:
        with ZipFile(self.place) as archive:
            return {entry.filename: entry.file_size for entry in archive.infolist()}

    def read(self, *paths: str) -> list[bytes]:
        with ZipFile(self.place) as archive:
            return [archive.read(path) for path in paths]


@dataclass(frozen=True)
class PackageShelf:
    """The folder of kept packages."""

    folder: Path
    disk_bytes: int
    suffixes: tuple[str, ...]
    """How names of files end that pages load."""

    def find(self, title: str) -> KeptPackage | None:
        """The package of this name and version, if it is kept."""
        place = self._place(title)
        if not place.exists():
            return None
        os.utime(place)
        return KeptPackage(title, place)

    def keep(self, title: str, packed: bytes) -> KeptPackage:
        """Keep a package as the registry has it. ValueError where it cannot be read."""
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self.folder / f".{os.getpid()}-{quote(title, safe='@')}"
        try:
            with ZipFile(part, "w", ZIP_DEFLATED, compresslevel=1) as archive:
                for path, data in self._list_files(packed):
                    archive.writestr(path, data)
        except (tarfile.TarError, EOFError, OSError) as broken:
            part.unlink(missing_ok=True)
            raise ValueError(f"the package cannot be read: {broken}") from broken
        part.replace(self._place(title))
        self._make_room()
        return KeptPackage(title, self._place(title))

    def _list_files(self, packed: bytes) -> Iterator[tuple[str, bytes]]:
        """The plain files that pages can load, by their path below the package's own folder."""
        seen: set[str] = set()
        total = 0
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r|gz") as archive:
            for entry in archive:
                within = not normpath(entry.name).startswith(("..", "/"))
                path = normpath(entry.name).partition("/")[2]
                known = within and splitext(path)[1].lower() in self.suffixes
                if not known or not entry.isfile() or entry.size > LARGEST_FILE_BYTES or path in seen:
                    continue
                total += entry.size
                if len(seen) >= MOST_FILES or total > MOST_BYTES:
                    return
                seen.add(path)
                file = archive.extractfile(entry)
                yield path, file.read() if file else b""

    def _make_room(self) -> None:
        """Remove what was not used for longest until the rest has room."""
        kept = sorted(self.folder.glob("*.zip"), key=lambda place: place.stat().st_mtime, reverse=True)
        room = self.disk_bytes
        for number, place in enumerate(kept):
            room -= place.stat().st_size
            if room < 0 and number:
                place.unlink(missing_ok=True)

    def _place(self, title: str) -> Path:
        return self.folder / f"{quote(title, safe='@')}.zip"
