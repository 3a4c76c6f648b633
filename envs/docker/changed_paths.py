"""Which paths of a box differ from its image: names alone, as the engine has them. Nothing in the box is asked."""

from __future__ import annotations

import asyncio
import os
import posixpath
from collections.abc import Iterator

import docker

from envs.docker.remains import find_overlay, inspect_container
from envs.engine import Engine


async def list_changed_paths(engine: Engine, container: str) -> tuple[str, ...]:
    """Every absolute path that the box has written, made or removed, and folders for which nothing else is told. From
    the engine's folder where this process can read it, which keeps names that are no UTF-8, else from its answer."""
    overlay = find_overlay(await inspect_container(engine, container))
    if overlay:
        paths = await asyncio.to_thread(_walk_upper, overlay.upper)
    else:
        paths = await engine.call(_ask, engine.api, container)
    above = {parent for path in paths for parent in _parents(path)}
    return tuple(sorted(path for path in paths if path not in above))


def _walk_upper(upper: str) -> list[str]:
    """All that is in the folder of a container's own files. A path that is gone is a device there."""
    return [posixpath.join("/", os.path.relpath(place, upper)) for place in _list_places(upper)]


def _list_places(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        yield entry.path
        if entry.is_dir(follow_symlinks=False):
            yield from _list_places(entry.path)


def _ask(api: docker.APIClient, container: str) -> list[str]:
    return [change["Path"] for change in api.diff(container) or []]


def _parents(path: str) -> Iterator[str]:
    while path != "/":
        path = posixpath.dirname(path)
        yield path
