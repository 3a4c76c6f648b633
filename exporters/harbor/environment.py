"""A task's env as a Dockerfile and its build context."""

from __future__ import annotations

import io
import json
import shlex
import tarfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from posixpath import join, normpath

from crucible.exporting import File
from crucible.mining import BlobStore
from crucible.sandbox import Env, Recipe

HERE = Path(__file__).parent
LAID = "laid.tar"
"""The archive of the files that are laid over the image."""
TRUST = "! command -v git >/dev/null || git config --system --add safe.directory '*'"
"""The tree is the agent's, and whoever builds or grades may be root: git would refuse to look at it."""


def environment_files(env: Env, blobs: BlobStore, tests: Sequence[str] = ()) -> Iterator[File]:
    """The Dockerfile and everything it copies. `tests` are commands that bring what the tests need besides."""
    recipe = env.recipe
    yield File("environment/Dockerfile", dockerfile(env, tests).encode())
    for number, blob in enumerate(recipe.archives.values()):
        yield File(f"environment/archive-{number}.tar", blobs.get(blob))
    for number, content in enumerate(recipe.files.values()):
        yield File(f"environment/file-{number}", content.encode())
    if env.patch:
        yield File("environment/base.patch", env.patch.encode())
    if env.files:
        yield File(f"environment/{LAID}", pack_laid_files(env, blobs))


def dockerfile(env: Env, tests: Sequence[str] = ()) -> str:
    """The recipe in the engine's words. Same env, same bytes."""
    recipe = env.recipe
    bases = tomllib.loads((HERE / "bases.toml").read_text("utf-8"))
    lines = [f"ARG BASE={bases.get(recipe.base, recipe.base)}", "FROM ${BASE}"]
    if recipe.packages:
        lines.append(
            _run_line(f"apt-get update && apt-get install -y --no-install-recommends {shlex.join(recipe.packages)}")
        )
    lines += [_run_line(command) for command in (_user_command(recipe, env.workdir), *tests)]
    lines += [f"ENV {name}={json.dumps(value)}" for name, value in recipe.environment.items()]
    lines += [_run_line(command) for command in recipe.tools]
    lines += [
        f"ADD {json.dumps([f'archive-{number}.tar', folder.rstrip('/') + '/'])}"
        for number, folder in enumerate(recipe.archives)
    ]
    lines += [f"COPY {json.dumps([f'file-{number}', path])}" for number, path in enumerate(recipe.files)]
    lines += [f"WORKDIR {env.workdir}", *(_run_line(command) for command in recipe.commands)]
    lines.append(_run_line(TRUST))
    if env.patch:
        lines += ["COPY base.patch /opt/.base.patch", _run_line((HERE / "lay.sh").read_text("utf-8"))]
        lines.append(_run_line(f"chown -R {shlex.quote(recipe.user)} ."))
    if env.files:
        lines += [f"ADD {LAID} /", *(_run_line(command) for command in _own_commands(env))]
    lines.append(_run_line((HERE / "keep.sh").read_text("utf-8")))
    return "\n".join(lines) + "\n"


def pack_laid_files(env: Env, blobs: BlobStore) -> bytes:
    """The env's laid files as a tar archive for the root folder. Same files, same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, laid in sorted(env.files.items()):
            data = blobs.get(laid.blob)
            info = tarfile.TarInfo(normpath(join(env.workdir, path)).lstrip("/"))
            info.mode, info.size = laid.mode, len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def _own_commands(env: Env) -> Iterator[str]:
    """The commands that give laid files, and the folders made for them below the workdir, their owners."""
    yield f"chown -R {shlex.quote(env.recipe.user)} {shlex.quote(env.workdir)}"
    owners = {join(env.workdir, path): laid.owner or env.recipe.user for path, laid in sorted(env.files.items())}
    for path, owner in owners.items():
        if owner != env.recipe.user or not path.startswith(f"{env.workdir}/"):
            yield f"chown {shlex.quote(owner)} {shlex.quote(path)}"


def _user_command(recipe: Recipe, workdir: str) -> str:
    name, folder = shlex.quote(recipe.user), shlex.quote(workdir)
    return f"id {name} >/dev/null 2>&1 || useradd --create-home {name}; mkdir -p {folder} && chown {name} {folder}"


def _run_line(command: str) -> str:
    return "RUN " + json.dumps(["/bin/sh", "-ec", command])
