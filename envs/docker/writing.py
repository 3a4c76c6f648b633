"""Writes a file through the engine, which may write anywhere, without being led astray by links of the occupant.

The engine follows links, and writes as root: `tests -> /etc` would turn a write below `tests` into one below `/etc`.
So the box stands still while each folder on the way is looked at and the file is written. Links that belong to root
are the image's own (`/bin -> usr/bin`) and are followed; where the occupant is root, they may be the occupant's too,
who then gains nothing by them. A link where the file itself should be is replaced.
"""

from __future__ import annotations

import asyncio
import io
import posixpath
import tarfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import docker
from docker.errors import NotFound

from crucible.errors import SandboxError
from envs.docker.files import SYMLINK_HOPS, fetch_facts, pack_file
from envs.docker.remains import pause_container
from envs.engine import Engine

FOLDER_MODE = 1 << 31
"""The bit that marks a folder in the modes that the engine tells."""


class FileWriter:
    """Writes files into one container, one at a time."""

    def __init__(self, engine: Engine, container: str) -> None:
        self._engine = engine
        self._container = container
        self._turn = asyncio.Lock()

    async def write(self, path: str, data: bytes, mode: int, owner: tuple[int, int]) -> None:
        """Write a file at an absolute path, after its folders. ValueError where a link of the occupant is in the way,
        IsADirectoryError where a folder is."""
        try:
            async with self._turn, self._standing_still():
                await self._engine.call(
                    place_file, self._engine.api, self._container, path, data, mode=mode, owner=owner
                )
        except NotFound as gone:
            raise SandboxError(f"the box is gone: {gone.explanation}") from gone

    @asynccontextmanager
    async def _standing_still(self) -> AsyncIterator[None]:
        """Let no process of the box run until the end of the block."""
        pausing = asyncio.ensure_future(pause_container(self._engine, self._container))
        try:
            await asyncio.shield(pausing)
            yield
        finally:
            await asyncio.shield(self._resume(pausing))

    async def _resume(self, pausing: asyncio.Future[Any]) -> None:
        """Let the processes run again, also when the pause was still under way as it was given up."""
        with suppress(NotFound, SandboxError):
            await pausing
            await self._engine.call(self._engine.api.unpause, self._container)


def place_file(
    api: docker.APIClient, container: str, path: str, data: bytes, *, mode: int, owner: tuple[int, int]
) -> None:
    """Write a file into a container in which nothing runs."""
    folder, missing = resolve_folder(api, container, posixpath.dirname(path))
    place = posixpath.join(folder, posixpath.basename(path))
    if not missing and _is_folder(fetch_facts(api, container, place)):
        raise IsADirectoryError(path)
    api.put_archive(container, "/", pack_file(place, data, mode, owner, missing))


def resolve_folder(api: docker.APIClient, container: str, folder: str) -> tuple[str, list[str]]:
    """The folder's path without links, and which folders on the way are yet to be made."""
    resolved, words, hops = "/", [word for word in folder.split("/") if word], 0
    missing: list[str] = []
    while words:
        place = posixpath.normpath(posixpath.join(resolved, words.pop(0)))
        facts = None if missing else fetch_facts(api, container, place)
        if facts is None:
            missing.append(place)
        elif facts["linkTarget"]:
            hops += 1
            if hops > SYMLINK_HOPS or _link_owner(api, container, place) != 0:
                raise ValueError(f"{folder}: {place} is a link, and not one of the image's: nothing is written there")
            target = posixpath.join(resolved, facts["linkTarget"])
            words, resolved = [word for word in target.split("/") if word] + words, "/"
            continue
        elif not _is_folder(facts):
            raise ValueError(f"{folder}: {place} is no folder")
        resolved = place
    return resolved, missing


def _is_folder(facts: dict[str, Any] | None) -> bool:
    return facts is not None and bool(facts["mode"] & FOLDER_MODE)


def _link_owner(api: docker.APIClient, container: str, path: str) -> int:
    """The number of the user that a link belongs to."""
    stream, _ = api.get_archive(container, path)
    with tarfile.open(fileobj=io.BytesIO(b"".join(stream))) as archive:
        entry = archive.next()
        return entry.uid if entry is not None and entry.issym() else -1
