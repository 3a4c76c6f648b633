"""Brings back what an occupant deleted or changed: a folder as the box's image has it, laid elsewhere in the box."""

from __future__ import annotations

import io
import posixpath
import tarfile
from contextlib import suppress

from docker.errors import NotFound

from crucible.errors import SandboxError
from envs.docker.labels import fresh_name, owner_labels
from envs.docker.remains import inspect_container
from envs.engine import Engine

LARGEST_FOLDER = 1 << 29
"""In bytes, of the folder's archive."""


async def lay_original(engine: Engine, container: str, folder: str, place: str) -> None:
    """Put a folder of the container's image at another place of the container, which must not be there yet.
    FileNotFoundError if the image has none, ValueError if it is too large."""
    image, name = (await inspect_container(engine, container))["Image"], fresh_name()
    await engine.call(engine.api.create_container, image, ["/bin/sh"], name=name, labels=owner_labels(engine))
    try:
        archive = await engine.call(_fetch_archive, engine, name, folder)
    except NotFound:
        raise FileNotFoundError(folder) from None
    finally:
        with suppress(NotFound, SandboxError):
            await engine.call(engine.api.remove_container, name, force=True, v=True)
    await engine.call(engine.api.put_archive, container, posixpath.dirname(place), _rename(archive, folder, place))


def _fetch_archive(engine: Engine, container: str, folder: str) -> bytes:
    stream, _ = engine.api.get_archive(container, folder)
    data = bytearray()
    for piece in stream:
        data += piece
        if len(data) > LARGEST_FOLDER:
            raise ValueError(f"{folder} is larger than {LARGEST_FOLDER} bytes")
    return bytes(data)


def _rename(archive: bytes, folder: str, place: str) -> bytes:
    """The archive of a folder with the name of the place instead of the folder's own."""
    before, after = posixpath.basename(folder), posixpath.basename(place)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(archive)) as old, tarfile.open(fileobj=buffer, mode="w") as new:
        for header in old:
            header.name = after + header.name[len(before) :]
            new.addfile(header, old.extractfile(header) if header.isreg() else None)
    return buffer.getvalue()
