"""Reads one file of a box straight from the engine's folders: a millisecond, where the engine takes fifty.

Processes of the box may run meanwhile, and lay links to lead us out of it: so each folder on the way is opened within
the one before, never through a link, and nothing is opened for reading but a regular file. What the box has not touched
is read from its image, which nobody can write to.
"""

from __future__ import annotations

import asyncio
import os
import posixpath
import stat

from crucible.sandbox import Stat
from envs.docker import files
from envs.docker.layer_archive import parent_paths
from envs.docker.overlay_layer import Overlay, is_opaque, read_regular
from envs.docker.remains import find_overlay, inspect_container, mounted_paths
from envs.engine import Engine


async def read_file(engine: Engine, container: str, path: str, limit: int) -> bytes:
    """The bytes of a regular file at this absolute path, links followed. FileNotFoundError, IsADirectoryError, or
    ValueError past `limit`."""
    overlay = await _find_local(engine, container, path)
    data = await asyncio.to_thread(read_local_file, overlay, path, limit) if overlay else None
    return data if data is not None else await engine.call(files.fetch_file, engine.api, container, path, limit)


async def stat_file(engine: Engine, container: str, path: str) -> Stat:
    """What is at this absolute path, a link not followed. FileNotFoundError if nothing is."""
    overlay = await _find_local(engine, container, path)
    found = await asyncio.to_thread(stat_written_file, overlay, path) if overlay else None
    return found if found is not None else await engine.call(files.fetch_stat, engine.api, container, path)


async def _find_local(engine: Engine, container: str, path: str) -> Overlay | None:
    """The folders that hold the path, if this process can read them and nothing is mounted on the way."""
    facts = await inspect_container(engine, container)
    mounted = mounted_paths(facts)
    is_mounted = any(place in mounted for place in (*parent_paths(path.strip("/")), path.strip("/")))
    return None if is_mounted else find_overlay(facts)


def read_local_file(overlay: Overlay, path: str, limit: int) -> bytes | None:
    """The bytes of a regular file; None when the engine must be asked: it is not there, not regular, or behind a link.
    ValueError past `limit`."""
    try:
        handle = _open_beneath(overlay.upper, path.strip("/").split("/"))
    except FileNotFoundError:
        return _read_image_file(overlay, path.strip("/"), limit)
    except OSError:
        return None
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            return None
        _require_size(facts, path, limit)
        with open(f"/proc/self/fd/{handle}", "rb") as file:  # noqa: PTH123 - a path that only `open` understands
            return file.read(limit)
    finally:
        os.close(handle)


def stat_written_file(overlay: Overlay, path: str) -> Stat | None:
    """What a regular file is that the box has written; None when the engine must be asked."""
    try:
        handle = _open_beneath(overlay.upper, path.strip("/").split("/"))
    except OSError:
        return None
    facts = os.fstat(handle)
    os.close(handle)
    if not stat.S_ISREG(facts.st_mode):
        return None
    return Stat(kind="file", mode=facts.st_mode & 0o7777, uid=facts.st_uid, gid=facts.st_gid, size=facts.st_size)


def _read_image_file(overlay: Overlay, path: str, limit: int) -> bytes | None:
    """The bytes of a regular file of the image that the box has left alone."""
    if any(is_opaque(posixpath.join(overlay.upper, folder)) for folder in parent_paths(path)):
        return None
    place = overlay.find_lower(path)
    if not place or not stat.S_ISREG((facts := os.lstat(place)).st_mode):
        return None
    _require_size(facts, path, limit)
    return read_regular(place)


def _require_size(facts: os.stat_result, path: str, limit: int) -> None:
    if facts.st_size > limit:
        raise ValueError(f"{path} is larger than {limit} bytes")


def _open_beneath(folder: str, parts: list[str]) -> int:
    """A handle of what is at the path beneath a folder, for asking what it is; OSError behind a link."""
    handle = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    for number, part in enumerate(parts, start=1):
        kind = os.O_DIRECTORY if number < len(parts) else 0
        try:
            inner = os.open(part, os.O_PATH | os.O_NOFOLLOW | kind, dir_fd=handle)
        finally:
            os.close(handle)
        handle = inner
    return handle
