"""Bytes by their content's digest, compressed, in a folder or any other place fsspec has a name for."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import fsspec
import zstandard
from fsspec.implementations.local import LocalFileSystem

from crucible.errors import SettingsError, StoreError
from crucible.store import faults

_DIGEST = re.compile(r"[0-9a-f]{64}")
# matches: a sha256 in hexadecimal, 741187391c6bae7d68e4...
_SUFFIX = ".zst"
_PART = ".part"


@dataclass(frozen=True)
class Stored:
    """One file of the store: a blob, or what a killed process left of one (then `digest` is empty)."""

    path: str
    digest: str
    bytes: int
    modified: float


class Blobs:
    """A content-addressed store. A blob appears whole or not at all; the same bytes twice are one blob."""

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            self._fs, self._root = fsspec.url_to_fs(url, use_listings_cache=False)  # others write there too
        except (ImportError, ValueError) as unknown:
            raise SettingsError(f"blobs: cannot open '{url}': {unknown}") from unknown
        self._is_local = isinstance(self._fs, LocalFileSystem)
        self._name = f"blob store {self._root if self._is_local else url}"

    def put(self, data: bytes) -> str:
        """Keep the bytes; returns their sha256."""
        digest = hashlib.sha256(data).hexdigest()
        path = self._path(digest)
        with faults.translate_disk_faults(self._name):
            if self._is_local and self.has(digest):
                os.utime(path)  # put again is young again: a sweep must not take what was just found to be there
            else:
                self._write(path, zstandard.compress(data))
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes; StoreError when they are not there or not what the digest says."""
        try:
            with faults.translate_disk_faults(self._name):
                packed = self._fs.cat_file(self._path(digest))
        except FileNotFoundError as missing:
            raise StoreError(f"{self._name} has no blob {digest}") from missing
        return self._unpacked(digest, packed)

    def has(self, digest: str) -> bool:
        with faults.translate_disk_faults(self._name):
            return bool(self._fs.exists(self._path(digest)))

    def locate(self, digest: str) -> Stored:
        """Where a blob lies; StoreError when it is not there."""
        path = self._path(digest)
        if not self.has(digest):
            raise StoreError(f"{self._name} has no blob {digest}")
        with faults.translate_disk_faults(self._name):
            info = self._fs.info(path)
        return Stored(path, digest, info["size"] or 0, _modified(info))

    def every(self) -> Iterator[Stored]:
        """All files of the store, leftovers included."""
        with faults.translate_disk_faults(self._name):
            files: dict[str, dict[str, Any]] = self._fs.find(self._root, detail=True)
        for path, info in sorted(files.items()):
            name = path.rpartition("/")[2].removesuffix(_SUFFIX)
            if _DIGEST.fullmatch(name):
                yield Stored(path, name, info["size"] or 0, _modified(info))
            elif path.endswith(_PART):
                yield Stored(path, "", info["size"] or 0, _modified(info))

    def delete(self, stored: Stored) -> None:
        """Remove one file that `every` told of, unless it was put again since; one already gone is no error."""
        try:
            with faults.translate_disk_faults(self._name):
                if _modified(self._fs.info(stored.path)) <= stored.modified:
                    self._fs.rm_file(stored.path)
        except FileNotFoundError:
            return

    def _path(self, digest: str) -> str:
        if not _DIGEST.fullmatch(digest):
            raise StoreError(f"'{digest[:80]}' is not a blob's digest")
        return f"{self._root}/{digest[:2]}/{digest[2:4]}/{digest}{_SUFFIX}"

    def _write(self, path: str, packed: bytes) -> None:
        if not self._is_local:
            self._send(path, packed)
            return
        part = f"{path}.{secrets.token_hex(6)}{_PART}"
        self._fs.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH120 - fsspec's paths are strings
        try:
            _write_through(part, packed)
            os.replace(part, path)  # noqa: PTH105
        finally:
            if self._fs.exists(part):
                self._fs.rm_file(part)

    def _send(self, path: str, packed: bytes) -> None:
        """Object stores show an object only once it is whole; sent again, it is young again."""
        try:
            self._fs.pipe_file(path, packed)
        except FileNotFoundError as missing:
            raise StoreError(f"{self._name} is not there", "make the bucket, or correct `blobs`") from missing

    def _unpacked(self, digest: str, packed: bytes) -> bytes:
        try:
            data = zstandard.decompress(packed)
        except zstandard.ZstdError:
            data = b""
        if hashlib.sha256(data).hexdigest() != digest:
            raise StoreError(
                f"{self._name}: blob {digest} is damaged",
                "restore it from a copy, or delete it and run again what made it",
            )
        return data


def _write_through(path: str, data: bytes) -> None:
    """On the disk before its name is: a power cut must not leave a blob's name on empty bytes."""
    with open(path, "xb") as file:  # noqa: PTH123
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _modified(info: dict[str, Any]) -> float:
    """When the file was written; a store that does not tell is taken to have written it just now."""
    when = next((info[name] for name in ("mtime", "LastModified", "created") if name in info), None)
    stamp = getattr(when, "timestamp", None)
    if stamp is not None:
        return float(stamp())
    return float(when) if isinstance(when, int | float) else time.time()
