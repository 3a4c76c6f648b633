"""What is in an archive: two that hold the same are the same, however they were packed."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any

from crucible.domains.terminal.scenes import Entry

LONGEST_MEMBER = 8 << 20
"""Bytes that are unpacked of one member, and of a compressed file: what is longer counts as unreadable."""
TAR_ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".txz")
COMPRESSED: dict[str, Callable[[IO[bytes]], Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
ENDINGS = (*TAR_ENDINGS, ".zip", *COMPRESSED)


def is_archive(path: str, entry: Entry) -> bool:
    """Whether a file is an archive that can be read."""
    return bool(list_members(path, entry))


def list_members(path: str, entry: Entry) -> list[str]:
    """The members of an archive: kind, mode, path and the hash of the content of each; empty when it is none."""
    if not entry.data or not path.endswith(ENDINGS):
        return []
    data = entry.content
    try:
        if path.endswith(TAR_ENDINGS):
            return sorted(_tar_members(data))
        if path.endswith(".zip"):
            return sorted(_zip_members(data))
        unpack = next(unpack for ending, unpack in COMPRESSED.items() if path.endswith(ending))
        with unpack(io.BytesIO(data)) as stream:
            return [_hash(stream.read(LONGEST_MEMBER))]
    except (tarfile.TarError, zipfile.BadZipFile, OSError, EOFError, lzma.LZMAError, zlib.error, ValueError):
        return []


def _tar_members(data: bytes) -> Iterator[str]:
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for info in tar:
            name = info.name.removeprefix("./").rstrip("/")
            stream = tar.extractfile(info) if info.isreg() else None
            content = _hash(stream.read(LONGEST_MEMBER)) if stream else info.linkname
            yield f"{info.type.decode()} {info.mode & 0o777:o} {name} {content}"


def _zip_members(data: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            with archive.open(info) as stream:
                yield f"{info.filename.rstrip('/')} {_hash(stream.read(LONGEST_MEMBER))}"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
