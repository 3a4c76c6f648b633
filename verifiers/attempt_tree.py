"""Where an attempt's tree differs from the task's base: read once, from the tree itself, before any of its code runs.

A diff is not asked: what a parser makes of it (quoted names, binary hunks, names with ` b/` in them) need not be what
git made of it. The names come from the engine, which knows every path that was written, and from git's comparison of
the tree with the base, which knows what is gone.
"""

from __future__ import annotations

import os
import posixpath
import secrets
from dataclasses import dataclass
from functools import cached_property

from crucible.errors import SandboxError
from crucible.sandbox import Sandbox

BASE = '"$(git rev-list --max-parents=0 HEAD)"'
"""The task's base is the first commit, whatever was committed on top of it."""
LIST_TREES = """mkdir -m 700 {folder} && base={base} && pwd -P >{folder}/workdir || exit 1
git ls-tree -r -z --name-only --full-tree "$base" >{folder}/base || exit 1
git -c core.fsmonitor= -c core.hooksPath=/dev/null diff -z --name-only --no-renames --no-ext-diff --no-textconv \\
  --ignore-submodules=none "$base" -- >{folder}/changed || exit 1
ls -1 /opt/venv/lib/python3*/site-packages /usr/lib/python3/dist-packages /usr/local/lib/python3*/dist-packages \\
  >{folder}/installed 2>/dev/null
true"""
LIST_SECONDS = 300.0
LARGEST_LIST = 1 << 26
"""In bytes."""


@dataclass(frozen=True)
class AttemptTree:
    """The paths that differ, and what the base has; all below the workdir. Bytes that are no UTF-8 are surrogates."""

    changed: tuple[str, ...]
    base: frozenset[str]
    """Every file of the base."""
    installed: frozenset[str] = frozenset()
    """Names of the Python modules that the image has installed."""

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder of the base."""
        return frozenset(parent for path in self.base for parent in parent_folders(path))

    def has(self, path: str) -> bool:
        """Whether the base has this file or folder."""
        return path in self.base or path in self.folders


async def read_tree(box: Sandbox) -> AttemptTree:
    """The attempt's tree in a fresh box. SandboxError when it cannot be listed."""
    folder = f"/tmp/.crucible-{secrets.token_hex(8)}"
    done = await box.exec(LIST_TREES.format(folder=folder, base=BASE), timeout=LIST_SECONDS)
    if not done.ok:
        raise SandboxError(f"the workspace could not be listed: {done.err.strip()[-300:]}")
    workdir, base, changed, installed = [
        await box.read(f"{folder}/{name}", limit=LARGEST_LIST) for name in ("workdir", "base", "changed", "installed")
    ]
    written = _below(os.fsdecode(workdir).rstrip("\n"), await box.changed_paths())
    await box.exec(f"rm -rf {folder}")
    return AttemptTree(
        changed=tuple(sorted({*written, *_split_names(changed)})),
        base=frozenset(_split_names(base)),
        installed=frozenset(name.partition(".")[0] for name in os.fsdecode(installed).split("\n") if name),
    )


def parent_folders(path: str) -> list[str]:
    """The folders above a path, outermost first."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _split_names(data: bytes) -> list[str]:
    return [os.fsdecode(name) for name in data.split(b"\0") if name]


def _below(workdir: str, paths: tuple[str, ...]) -> list[str]:
    """Those of these absolute paths that are below the workdir, without what git keeps there."""
    inside = [posixpath.relpath(path, workdir) for path in paths if path.startswith(f"{workdir}/")]
    return [path for path in inside if path != ".git" and not path.startswith(".git/")]
