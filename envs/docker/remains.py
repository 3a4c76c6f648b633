"""What an attempt leaves in its box, `layer` or `files`: taken through the engine, and laid in another box.

`layer` is every path that differs from the image; `files` is what of it the env's outputs name. Both are read while
the box is paused, from the engine's folders where this process can, else by the engine's answers.
"""

from __future__ import annotations

import asyncio
import io
import os
import posixpath
import tarfile
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import Any

from docker.errors import APIError, NotFound

from crucible.errors import SandboxError
from crucible.sandbox import Env, LaidFile, Remains
from envs.docker.engine_layer import read_by_engine
from envs.docker.layer_archive import Entry, Scope, TooLarge, pack_entries, read_entries
from envs.docker.outputs import compile_outputs
from envs.docker.overlay_layer import NotPlain, Overlay, read_overlay
from envs.engine import Engine

OURS = (
    *("etc/hosts", "etc/hostname", "etc/resolv.conf", "etc/mtab", ".dockerenv", "dev", "proc", "sys"),
    *("sbin/docker-init", "usr/sbin/docker-init", "tmp/.crucible"),
)
"""Paths that the engine and the tools lay in a box."""
ENGINE_LACKS = "told by the engine: hard links as copies, and no extended attributes but capabilities"
"""What is recorded of remains that could not be read from the engine's folder."""
FREEZE_ATTEMPTS = 3
"""How often the engine is asked to pause a box whose processes do not freeze in time."""


async def collect_remains(engine: Engine, container: str, env: Env, is_still: bool = False) -> Remains:
    """What the box's writable layer has of what the env asks for; `is_still` where no process can write to it."""
    if env.leaves == "files" and not env.outputs:
        return Remains(left="unchanged", detail="the environment asks for no files")
    facts = await inspect_container(engine, container)
    async with nullcontext() if is_still else _paused(engine, container):
        try:
            entries, lacks = await _read_layer(engine, container, facts, make_scope(env, facts))
        except TooLarge:
            return Remains(left="too_large", detail=f"more than {env.limits.remains_mb} MB are left")
        except OSError as unreadable:
            return Remains(left="lost", detail=f"what was left cannot be read: {unreadable}"[:300])
    if env.leaves == "files" and all(entry.is_whiteout or entry.header.isdir() for entry in entries):
        return Remains(left="absent", detail=f"there is none of: {', '.join(env.outputs)}")
    return Remains(left="changed", archive=pack_entries(entries), detail=lacks)


async def inspect_container(engine: Engine, container: str) -> Mapping[str, Any]:
    """What the engine says of a box's container."""
    try:
        facts: Mapping[str, Any] = await engine.call(engine.api.inspect_container, container)
    except NotFound as gone:
        raise SandboxError(f"the box is gone: {gone.explanation}") from gone
    return facts


def make_scope(env: Env, facts: Mapping[str, Any]) -> Scope:
    """Which paths of a container are an attempt's and asked for by its env."""
    outputs = compile_outputs(env.outputs, env.workdir) if env.leaves == "files" else None
    return Scope(mounted_paths(facts), outputs, env.limits.remains_mb << 20)


def mounted_paths(facts: Mapping[str, Any]) -> frozenset[str]:
    """Paths of a container, without their leading slash, that are not of its own files."""
    return frozenset({*OURS, *(mount["Destination"].strip("/") for mount in facts.get("Mounts") or [])})


def find_overlay(facts: Mapping[str, Any]) -> Overlay | None:
    """The folders of a container's files, if the engine keeps them on this machine for this process to read."""
    driver = facts.get("GraphDriver") or {}
    folders = driver.get("Data") or {}
    upper, lower = folders.get("UpperDir") or "", folders.get("LowerDir") or ""
    if driver.get("Name") != "overlay2" or os.geteuid() != 0 or not os.access(upper, os.R_OK | os.X_OK):
        return None
    return Overlay(upper, tuple(lower.split(":")))


def without_replaced_files(env: Env) -> dict[str, LaidFile]:
    """The env's laid files that remains do not bring along: none beside a layer, not the outputs beside files."""
    if env.leaves == "layer":
        return {}
    outputs = compile_outputs(env.outputs, env.workdir)
    return {path: file for path, file in env.files.items() if not outputs.fullmatch(posixpath.join(env.workdir, path))}


def split_remains(archive: bytes) -> tuple[list[str], bytes]:
    """The absolute paths that are gone, and the rest as a tar for the engine, as of now: build tools compare times."""
    entries = read_entries(archive)
    gone = [posixpath.join("/", entry.path) for entry in entries if entry.is_whiteout]
    return gone, _pack_now(entry for entry in entries if not entry.is_whiteout)


def _pack_now(entries: Iterable[Entry]) -> bytes:
    buffer = io.BytesIO()
    now = int(time.time())
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT, encoding="utf-8") as archive:
        for entry in entries:
            entry.header.mtime = now
            archive.addfile(entry.header, io.BytesIO(entry.data))
    return buffer.getvalue()


async def _read_layer(
    engine: Engine, container: str, facts: Mapping[str, Any], scope: Scope
) -> tuple[list[Entry], str]:
    """What differs from the image, and what of it could not be told."""
    overlay = find_overlay(facts)
    if overlay:
        with suppress(NotPlain):
            return await asyncio.to_thread(read_overlay, overlay, scope), ""
    return await engine.call(read_by_engine, engine.api, container, scope), ENGINE_LACKS


async def pause_container(engine: Engine, container: str) -> None:
    """Pause a container; a busy machine that cannot freeze its processes in time is asked again."""
    for _ in range(FREEZE_ATTEMPTS - 1):
        try:
            await engine.call(engine.api.pause, container)
            return
        except SandboxError as refused:
            if "unable to freeze" not in str(refused):
                raise
    await engine.call(engine.api.pause, container)


@asynccontextmanager
async def _paused(engine: Engine, container: str) -> AsyncIterator[None]:
    """Hold every process of a container still; one that has ended already is still."""
    try:
        await pause_container(engine, container)
    except NotFound as gone:
        raise SandboxError(f"the box is gone: {gone.explanation}") from gone
    except SandboxError as refused:
        if isinstance(refused.__cause__, APIError) and "is not running" in str(refused):
            yield
            return
        raise
    try:
        yield
    finally:
        with suppress(NotFound):
            await asyncio.shield(engine.call(engine.api.unpause, container))
