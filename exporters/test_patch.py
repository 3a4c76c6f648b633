"""The patch that puts a task's test files into its base tree, as git writes it.

A task keeps whole files; their base is in the env's archive, under the env's patch. Everything happens in an index:
no file of a mined repository is written where a link of it could lead.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from crucible.domains.code.overlay import whole_files
from crucible.domains.code.suite import SuiteParams
from crucible.errors import Rejected
from crucible.mining import BlobStore
from crucible.sandbox import Env

DIFF_OPTIONS = (
    *("--binary", "--full-index", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=myers", "--unified=3"),
)
FILE_MODE = "100644"
PROGRAM_MODE = "100755"
Files = Mapping[str, tuple[str, bytes]]
"""Mode and content, by path."""


def test_patch(env: Env, params: SuiteParams, blobs: BlobStore) -> str:
    """The patch from the base to the base with the tests. SWE-bench's harness puts every file that this patch names
    back to its base before it applies it: with a source file among them it would take the solution away."""
    if params.inline:
        raise Rejected("no_test_patch", f"tests within source files: {', '.join(sorted(params.inline))}")
    with tempfile.TemporaryDirectory() as scratch:
        index = _Index(Path(scratch))
        touched = {*params.tests, *params.data, *params.deleted}
        index.add(_base_files(env, touched | index.paths(env.patch), blobs))
        index.apply(env.patch)
        before = index.tree()
        modes = index.modes(touched)
        test_files = whole_files(params.tests, params.data)
        index.add({path: (modes.get(path, FILE_MODE), data) for path, data in test_files.items()})
        index.remove([path for path in params.deleted if path in modes])
        return index.git("diff", *DIFF_OPTIONS, before, index.tree()).decode(errors="backslashreplace")


def _base_files(env: Env, paths: set[str], blobs: BlobStore) -> Files:
    """These paths with mode and content, as the archive of the task's tree has them. Links are left out: nothing is
    laid over one."""
    digest = env.recipe.archives.get(env.workdir)
    if digest is None:
        raise Rejected("no_base_tree", "the task's tree is not in an archive")
    files = {}
    with tarfile.open(fileobj=io.BytesIO(blobs.get(digest)), mode="r:") as archive:
        for member in archive:
            path = member.name.removeprefix("./")
            if path in paths and member.isfile() and (content := archive.extractfile(member)):
                files[path] = (PROGRAM_MODE if member.mode & 0o100 else FILE_MODE, content.read())
    return files


class _Index:
    """The index of a repository without a work tree."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._git = folder / "repository"
        subprocess.run(
            ["git", "init", "-q", "--bare", "--template=", str(self._git)], env=self._env(), check=True, timeout=600
        )

    def git(self, *words: str, data: bytes = b"") -> bytes:
        done = subprocess.run(
            ["git", *words],
            env=self._env(),
            input=data,
            capture_output=True,
            cwd=self._folder,
            timeout=600,
            check=False,
        )
        if done.returncode:
            raise Rejected("no_test_patch", done.stderr.decode(errors="replace").strip()[-300:])
        return done.stdout

    def paths(self, patch: str) -> set[str]:
        """The files that a patch touches, as git itself reads the patch: what is applied is what was looked up."""
        if not patch:
            return set()
        rows = self.git("apply", "--numstat", "-z", "-", data=patch.encode()).split(b"\0")
        return {row.split(b"\t", 2)[2].decode() for row in rows if row}

    def add(self, files: Files) -> None:
        if not files:
            return
        names = [str(number) for number in range(len(files))]
        for name, (_, data) in zip(names, files.values(), strict=True):
            (self._folder / name).write_bytes(data)
        listed = "".join(f"{name}\n" for name in names).encode()
        blobs = self.git("hash-object", "-w", "--no-filters", "--stdin-paths", data=listed).decode().split()
        rows = [f"{mode} {blob}\t{path}" for (path, (mode, _)), blob in zip(files.items(), blobs, strict=True)]
        self.git("update-index", "-z", "--index-info", data="".join(f"{row}\0" for row in rows).encode())

    def remove(self, paths: Iterable[str]) -> None:
        rows = "".join(f"0 {'0' * 40}\t{path}\0" for path in paths)
        self.git("update-index", "-z", "--index-info", data=rows.encode())

    def apply(self, patch: str) -> None:
        if patch:
            self.git("apply", "--cached", "--whitespace=nowarn", "-", data=patch.encode())

    def modes(self, paths: set[str]) -> dict[str, str]:
        rows = self.git("ls-files", "-s", "-z").decode().split("\0")
        entries = (row.partition("\t") for row in rows if row)
        return {path: head.split()[0] for head, _, path in entries if path in paths}

    def tree(self) -> str:
        return self.git("write-tree").decode().strip()

    def _env(self) -> dict[str, str]:
        alone = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1"}
        return {"PATH": os.environ.get("PATH", os.defpath), "GIT_DIR": str(self._git), "LC_ALL": "C.UTF-8", **alone}
