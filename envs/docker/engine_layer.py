"""Reads what a box has written over its image by asking the engine, path by path: slow, and works with any engine."""

from __future__ import annotations

import io
import posixpath
import tarfile
from collections.abc import Iterator
from contextlib import closing, suppress

import docker
from docker.errors import NotFound

from envs.docker.layer_archive import (
    KEPT_KINDS,
    Entry,
    Scope,
    TooLarge,
    make_entry,
    make_whiteout,
    parent_paths,
)

GONE = 2
"""The engine's number for a path that was deleted."""


def read_by_engine(api: docker.APIClient, container: str, scope: Scope) -> list[Entry]:
    """Every path in scope that differs from the image, and the folders above each. TooLarge past the limit."""
    changes = {change["Path"].lstrip("/"): change["Kind"] for change in api.diff(container) or []}
    told = _without_ours(changes, scope)
    entries = [make_whiteout(path) for path, kind in told.items() if kind == GONE and scope.wants(path)]
    room = scope.limit
    for path in sorted(path for path, kind in told.items() if kind != GONE and scope.wants(path)):
        with suppress(NotFound):
            entry = _fetch_entry(api, container, path, room)
            if entry and scope.wants(path, entry.header.isdir()):
                entries.append(entry)
                room -= len(entry.data)
    return entries + _fetch_parents(api, container, entries)


def _without_ours(changes: dict[str, int], scope: Scope) -> dict[str, int]:
    """The changes without what is out of scope, and without folders that are told of for nothing else."""
    ours = {path for path in changes if not all(map(scope.includes, (path, *parent_paths(path))))}
    above = {parent for path in changes.keys() - ours for parent in parent_paths(path)}
    idle = {parent for path in ours for parent in parent_paths(path)} - above
    return {path: kind for path, kind in changes.items() if path not in ours | idle}


def fetch_header(api: docker.APIClient, container: str, path: str) -> tarfile.TarInfo:
    """What the engine says of one path; NotFound if nothing is there. A link is not followed."""
    stream, _ = api.get_archive(container, path)
    with closing(stream), tarfile.open(fileobj=_Pieces(stream), mode="r|", encoding="utf-8") as archive:
        header = archive.next()
    if header is None:
        raise NotFound(path)
    return header


def _fetch_entry(api: docker.APIClient, container: str, path: str, room: int) -> Entry | None:
    """One path as an entry; None for a kind that is not kept. TooLarge when its content has no room."""
    stream, _ = api.get_archive(container, posixpath.join("/", path))
    with closing(stream), tarfile.open(fileobj=_Pieces(stream), mode="r|", encoding="utf-8") as archive:
        header = archive.next()
        if header is None or header.type not in KEPT_KINDS:
            return None
        if header.size > room:
            raise TooLarge
        handle = archive.extractfile(header) if header.isreg() else None
        return make_entry(header, path, handle.read() if handle else b"")


def _fetch_parents(api: docker.APIClient, container: str, entries: list[Entry]) -> list[Entry]:
    """The folders above the entries, as far as they are not among them."""
    missing = {parent for entry in entries for parent in parent_paths(entry.path)} - {entry.path for entry in entries}
    return [make_entry(fetch_header(api, container, posixpath.join("/", path)), path) for path in missing]


class _Pieces(io.RawIOBase):
    """A stream of pieces as a file that `tarfile` reads."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = iter(pieces)
        self._rest = bytearray()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while size < 0 or len(self._rest) < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._rest += piece
        taken = bytes(self._rest if size < 0 else self._rest[:size])
        del self._rest[: len(taken)]
        return taken
