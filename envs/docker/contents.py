"""Lays files and an attempt's remains in a container that is made and not yet started: no process can see it happen."""

from __future__ import annotations

import asyncio
import io
import posixpath
import tarfile
import time
from collections.abc import Iterable, Mapping

import docker
from docker.types import Mount

from crucible.errors import SandboxError
from crucible.mining import BlobStore
from crucible.sandbox import Env, LaidFile
from envs.docker import files
from envs.docker.box_plan import BoxPlan
from envs.docker.grader_tools import TOOLS, GraderTools
from envs.docker.layer_archive import parent_paths
from envs.docker.local_files import read_file
from envs.docker.own_container import open_own_container
from envs.docker.patched_images import commit_container
from envs.docker.remains import split_remains
from envs.engine import Engine

DELETE_CAPABILITIES = ("DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER")
"""What root needs to delete what others own."""
DELETED = "/.crucible-deleted"
"""Where the list of the paths to delete is laid."""
DELETE = f"{TOOLS}/xargs -0 {TOOLS}/rm -rf -- < {DELETED}; {TOOLS}/rm -f {DELETED}"


async def lay_contents(engine: Engine, blobs: BlobStore, container: str, plan: BoxPlan) -> None:
    """Lay what the plan says into a container that is not yet started."""
    if plan.files:
        await lay_files(engine, blobs, container, plan.env, plan.files)
    if plan.remains is not None:
        await engine.call(engine.api.put_archive, container, "/", split_remains(plan.remains)[1])


async def lay_files(engine: Engine, blobs: BlobStore, container: str, env: Env, laid: Mapping[str, LaidFile]) -> None:
    """Put the files in place, with the folders above them that are not there, each with its owner."""
    placed = {posixpath.normpath(posixpath.join(env.workdir, path)): file for path, file in sorted(laid.items())}
    owners = await _read_owners(engine, container)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for folder in await engine.call(_list_missing, engine.api, container, placed):
            archive.addfile(_header(folder, tarfile.DIRTYPE, 0o755, _owner(owners, env, "")))
        for path, file in placed.items():
            data = await asyncio.to_thread(blobs.get, file.blob)
            header = _header(path, tarfile.REGTYPE, file.mode, _owner(owners, env, file.owner))
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
    await engine.call(engine.api.put_archive, container, "/", buffer.getvalue())


async def lay_deletions(engine: Engine, image: str, remains: bytes | None, tools: GraderTools) -> str:
    """An image without the paths that the remains say are gone, or empty when there are none.

    Only a process can delete, and a box's own root has no capabilities: so it is done in a container of its own, by the
    grader's tools.
    """
    paths = split_remains(remains)[0] if remains is not None else []
    return await _delete_paths(engine, image, paths, await tools.mount()) if paths else ""


async def _delete_paths(engine: Engine, image: str, paths: list[str], tools: Mount) -> str:
    listed = files.pack_file(DELETED, "\0".join(paths).encode(errors="surrogateescape"), 0o600, (0, 0), [])
    command = [f"{TOOLS}/sh", "-c", DELETE]
    async with open_own_container(engine, image, command, tools, DELETE_CAPABILITIES) as container:
        await engine.call(engine.api.put_archive, container.name, "/", listed)
        code = await container.run()
        if code:
            raise SandboxError(f"what the attempt deleted cannot be deleted again: code {code}")
        return await commit_container(engine, container.name)


async def _read_owners(engine: Engine, container: str) -> dict[str, tuple[int, int]]:
    """The numbers of the image's users and of their groups."""
    passwd = await read_file(engine, container, "/etc/passwd", 1 << 20)
    rows = [line.split(":") for line in passwd.decode(errors="replace").splitlines()]
    return {row[0]: (int(row[2]), int(row[3])) for row in rows if len(row) > 3}


def _owner(owners: Mapping[str, tuple[int, int]], env: Env, user: str) -> tuple[int, int]:
    name = user or env.recipe.user
    if name not in owners:
        raise SandboxError(f"the image has no user '{name}'")
    return owners[name]


def _list_missing(api: docker.APIClient, container: str, paths: Iterable[str]) -> list[str]:
    """The folders above these absolute paths that are not there, outermost first. What would lie in one that is missing
    need not be asked for."""
    missing: list[str] = []
    for folder in sorted({f"/{folder}" for path in paths for folder in parent_paths(path[1:])}):
        if posixpath.dirname(folder) in missing or files.fetch_facts(api, container, folder) is None:
            missing.append(folder)
    return missing


def _header(path: str, kind: bytes, mode: int, owner: tuple[int, int]) -> tarfile.TarInfo:
    header = tarfile.TarInfo(path.lstrip("/"))
    header.type, header.mode, header.mtime = kind, mode, int(time.time())
    header.uid, header.gid = owner
    return header
