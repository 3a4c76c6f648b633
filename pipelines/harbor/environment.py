"""A Harbor folder's `environment/` as an env."""

from __future__ import annotations

import io
import shlex
import tarfile
from pathlib import Path

from crucible.errors import Rejected
from crucible.mining import BlobStore
from crucible.sandbox import Env, Limits, Network, Networks, Recipe
from pipelines.harbor import dockerfile
from pipelines.harbor.content import Content
from pipelines.harbor.task_toml import TaskToml

SEAL_SCRIPT = Path(__file__).with_name("seal.sh")
DOCKERFILE = "environment/Dockerfile"
FIXED_MTIME = 1_704_067_200
"""When every file of an archive was changed, so that the same files give the same bytes."""


def env_of(facts: TaskToml, content: Content, blobs: BlobStore) -> Env:
    """The env that a folder's Dockerfile and `task.toml` describe. A folder that asks for all of the network gets none:
    the proof decides whether it can do without."""
    table, build = facts.environment, _build(facts, content)
    workdir = table.workdir or build.workdir
    if workdir == "/":
        raise Rejected("no_workdir", "an attempt is what changed in a folder, and the Dockerfile names none")
    reached = Network(mode="allow", hosts=table.allowed_hosts) if table.network_mode == "allowlist" else Network()
    remove_context = [f"rm -rf {dockerfile.CONTEXT}"] if build.copies else []
    return Env(
        recipe=Recipe(
            base=build.base,
            archives={dockerfile.CONTEXT: blobs.put(_tar(content.below("environment")))} if build.copies else {},
            commands=(*build.commands, *remove_context, f"cd {shlex.quote(workdir)}\n{SEAL_SCRIPT.read_text('utf-8')}"),
            environment=build.environment,
        ),
        workdir=workdir,
        limits=Limits(cpus=table.cpus, memory_mb=table.memory_mb, disk_mb=table.storage_mb),
        networks=Networks(attempting=reached),
    )


def _build(facts: TaskToml, content: Content) -> dockerfile.Build:
    """The build of the folder's Dockerfile; without one, of the image that `task.toml` names."""
    if DOCKERFILE in content.files:
        return dockerfile.read_dockerfile(content.text(DOCKERFILE), frozenset(content.below("environment").files))
    if facts.environment.docker_image:
        return dockerfile.Build(base=facts.environment.docker_image, workdir="/app")
    raise Rejected("incomplete_folder", "there is no environment/Dockerfile and no docker_image")


def _tar(content: Content) -> bytes:
    """The files as a tar archive: the same files give the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, data in content.files.items():
            info = tarfile.TarInfo(path)
            info.size, info.mtime, info.mode = len(data), FIXED_MTIME, 0o755 if path in content.programs else 0o644
            tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()
