"""A repository's objects by name, out of one git process that stays: a question costs a tenth of a millisecond."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pipelines.swe.repository.git import GitFailed, open_git


class Objects:
    """A running `git cat-file --batch`: names in, objects out."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def read(self, name: str) -> bytes:
        """The object's bytes. GitFailed when it is missing or cannot be read."""
        self._send_names([name])
        return self._read_answer(name)

    def root_files(self, commits: Sequence[str]) -> dict[str, dict[bytes, str]]:
        """The plain files at the top of each commit's tree, blobs by name; a tree that cannot be read has none."""
        roots = {}
        self._send_names([f"{commit}^{{tree}}" for commit in commits])
        for commit in commits:
            try:
                roots[commit] = _plain_files(self._read_answer(commit), len(commit) // 2)
            except GitFailed:
                roots[commit] = {}
        return roots

    def _send_names(self, names: Sequence[str]) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write("".join(f"{name}\n" for name in names).encode())
            self._process.stdin.flush()
        except OSError as broken:
            raise GitFailed(f"git cat-file: {broken}") from broken

    def _read_answer(self, name: str) -> bytes:
        assert self._process.stdout
        head = self._process.stdout.readline().split()
        if len(head) != 3 or not head[2].isdigit():
            raise GitFailed(f"git cat-file: the object {name} cannot be read")
        return self._process.stdout.read(int(head[2]) + 1)[:-1]


def _plain_files(tree: bytes, width: int) -> dict[bytes, str]:
    """The plain files that a tree object lists, blobs by name; `width` is the length of a hash in bytes."""
    files, position = {}, 0
    while position < len(tree):
        end = tree.index(b"\0", position)
        mode, _, name = tree[position:end].partition(b" ")
        position = end + 1 + width
        if mode.startswith(b"100"):
            files[name] = tree[end + 1 : position].hex()
    return files


@contextmanager
def open_objects(repo: Path) -> Iterator[Objects]:
    """The objects of this repository, while the block runs."""
    with open_git(repo, "cat-file", "--batch") as process:
        yield Objects(process)
