"""A repository's objects by name, out of one git process that stays: a question costs a tenth of a millisecond."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipelines.swe.git import GitFailed, piped


class Objects:
    """Asks `git cat-file --batch`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def read(self, name: str) -> bytes:
        """The object's bytes. GitFailed when it is missing or cannot be read."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(f"{name}\n".encode())
            self._process.stdin.flush()
            head = self._process.stdout.readline().split()
            if len(head) != 3 or not head[2].isdigit():
                raise GitFailed(f"git cat-file: the object {name} cannot be read")
            data = self._process.stdout.read(int(head[2]))
            self._process.stdout.read(1)
        except OSError as broken:
            raise GitFailed(f"git cat-file: {broken}") from broken
        return data

    def root(self, commit: str) -> dict[bytes, str]:
        """The plain files at the top of a commit's tree: blobs by name."""
        data = self.read(f"{commit}^{{tree}}")
        width = len(commit) // 2
        files, place = {}, 0
        while place < len(data):
            end = data.index(b"\0", place)
            mode, _, name = data[place:end].partition(b" ")
            place = end + 1 + width
            if mode.startswith(b"100"):
                files[name] = data[end + 1 : place].hex()
        return files


@contextmanager
def objects(repo: Path) -> Iterator[Objects]:
    """The objects of this repository, while the block runs."""
    with piped(repo, "cat-file", "--batch") as process:
        yield Objects(process)
