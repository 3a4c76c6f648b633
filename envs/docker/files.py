"""Files in and out of a container as tar streams, through the engine and not through its processes."""

from __future__ import annotations

import io
import posixpath
import tarfile
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Literal

import docker
from docker.errors import APIError, NotFound
from docker.utils import decode_json_header

from crucible.errors import SandboxError
from crucible.sandbox import Stat
from envs.docker.engine_layer import fetch_header

SYMLINK_HOPS = 8
"""Symbolic links followed before giving up."""
TAR_OVERHEAD = 10_240
"""Bytes that a tar of one file may have beside the file."""


def fetch_file(api: docker.APIClient, container: str, path: str, limit: int) -> bytes:
    """A regular file's bytes, links followed. FileNotFoundError, IsADirectoryError, or ValueError past `limit`."""
    for _ in range(SYMLINK_HOPS):
        try:
            stream, stat = api.get_archive(container, path)
        except NotFound as missing:
            if "No such container" in str(missing.explanation):
                raise SandboxError(f"the box is gone: {missing.explanation}") from missing
            raise FileNotFoundError(path) from None
        except APIError as refused:
            if "too many links" in str(refused.explanation):
                raise ValueError(f"{path}: too many symbolic links") from None
            raise
        target = stat.get("linkTarget")
        if not target:
            return _extract_file(stream, path, limit)
        stream.close()
        path = posixpath.join(posixpath.dirname(path), target)
    raise ValueError(f"{path}: too many symbolic links")


def fetch_facts(api: docker.APIClient, container: str, path: str) -> dict[str, Any] | None:
    """What the engine tells of a path without packing it, links not followed; None where there is nothing."""
    url = f"{api.base_url}/v{api.api_version}/containers/{container}/archive"
    response = api.head(url, params={"path": path}, timeout=api.timeout)
    if response.status_code == 404:
        api.inspect_container(container)  # says so if it is the container that is missing
        return None
    if response.status_code >= 400:
        _raise_reason(api, container, path)
    facts: dict[str, Any] = decode_json_header(response.headers["x-docker-container-path-stat"])
    return facts


def _raise_reason(api: docker.APIClient, container: str, path: str) -> None:
    """Raise what the engine has against a path; it says so only to those who ask for the content."""
    try:
        stream, _ = api.get_archive(container, path)
        stream.close()
    except APIError as refused:
        if "too many links" in str(refused.explanation):
            raise ValueError(f"{path} is a link that leads in circles") from None
        raise
    raise SandboxError(f"the engine tells nothing of {path}")


def fetch_stat(api: docker.APIClient, container: str, path: str) -> Stat:
    """What is at the path, a link not followed; FileNotFoundError if nothing is."""
    try:
        with suppress(ValueError):  # the path leads in circles, for which the engine has a word below
            if fetch_facts(api, container, path) is None:
                raise FileNotFoundError(path)
        header = fetch_header(api, container, path)
    except NotFound as missing:
        if "No such container" in str(missing.explanation):
            raise SandboxError(f"the box is gone: {missing.explanation}") from missing
        raise FileNotFoundError(path) from None
    kind: Literal["file", "folder", "link", "other"] = "other"
    if header.isreg() or header.isdir() or header.issym():
        kind = "file" if header.isreg() else "folder" if header.isdir() else "link"
    return Stat(
        kind=kind,
        mode=header.mode & 0o7777,
        uid=header.uid,
        gid=header.gid,
        size=header.size,
        target=header.linkname if header.issym() else "",
    )


def _extract_file(stream: Iterable[bytes], path: str, limit: int) -> bytes:
    """The bytes of the one regular file in a tar stream; ValueError as soon as it is longer than `limit`."""
    data = bytearray()
    for piece in stream:
        data += piece
        if len(data) > limit + TAR_OVERHEAD:
            raise ValueError(f"{path} is larger than {limit} bytes")
    with tarfile.open(fileobj=io.BytesIO(bytes(data))) as archive:
        entry = archive.next()
        if entry is None:
            raise FileNotFoundError(path)
        if entry.isdir():
            raise IsADirectoryError(path)
        handle = archive.extractfile(entry) if entry.isreg() else None
        if handle is None:
            raise ValueError(f"{path} is not a regular file")
        if entry.size > limit:
            raise ValueError(f"{path} is larger than {limit} bytes")
        return handle.read()


def pack_file(path: str, data: bytes, mode: int, owner: tuple[int, int], folders: Sequence[str]) -> bytes:
    """A tar of one file at its absolute path, and of those parent folders that must be made for it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for folder in folders:
            archive.addfile(_tar_entry(folder, 0o755, owner, tarfile.DIRTYPE))
        entry = _tar_entry(path, mode, owner, tarfile.REGTYPE)
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def _tar_entry(path: str, mode: int, owner: tuple[int, int], kind: bytes) -> tarfile.TarInfo:
    """The header of a file or folder in a tar, as of now."""
    entry = tarfile.TarInfo(path.lstrip("/"))
    entry.type, entry.mode = kind, mode
    entry.uid, entry.gid = owner
    entry.mtime = int(time.time())  # build tools compare times
    return entry
