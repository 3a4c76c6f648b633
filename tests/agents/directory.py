"""A box for these tests: a real shell in a real directory. It isolates nothing; what runs in it is our own."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import stat
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from crucible.sandbox import Done, Remains, Sandbox, Stat

KEPT = 256 * 1024


class DirectoryBox:
    """Runs commands in `workdir` and reads and writes files of this machine."""

    address = ""

    def __init__(self, workdir: Path) -> None:
        self.workdir = workdir
        self.commands: list[str] = []

    async def exec(
        self,
        command: str,
        *,
        timeout: float | None = None,
        user: str | None = None,
        stdin: bytes = b"",
        trusted: bool = False,
    ) -> Done:
        self.commands.append(command)
        began = time.monotonic()
        shell = await asyncio.create_subprocess_exec(
            *("bash", "-c", command), cwd=self.workdir, start_new_session=True, stdin=-1, stdout=-1, stderr=-1
        )
        try:
            async with asyncio.timeout(timeout or 60):
                out, err = await shell.communicate(stdin)
        except TimeoutError:
            os.killpg(shell.pid, signal.SIGKILL)
            out, err = await shell.communicate()
            return _done(124, out, err, began, stopped="timeout")
        return _done(shell.returncode or 0, out, err, began)

    async def read(self, path: str, *, limit: int = 1 << 24) -> bytes:
        data = (self.workdir / path).read_bytes()
        if len(data) > limit:
            raise ValueError(f"{path} is larger than {limit}")
        return data

    async def write(self, path: str, data: bytes, *, mode: int = 0o644, user: str | None = None) -> None:
        file = self.workdir / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        file.chmod(mode)

    async def stat(self, path: str) -> Stat:
        facts = (self.workdir / path).lstat()
        kind = "link" if stat.S_ISLNK(facts.st_mode) else "folder" if stat.S_ISDIR(facts.st_mode) else "file"
        return Stat(kind=kind, mode=facts.st_mode & 0o7777, uid=facts.st_uid, gid=facts.st_gid, size=facts.st_size)

    async def lay_original(self, folder: str, place: str) -> None:
        raise FileNotFoundError(folder)

    async def changed_paths(self) -> tuple[str, ...]:
        raise NotImplementedError("there is no image that a folder could differ from")

    async def end_processes(self) -> None:
        """What is left running here is nobody's harm."""

    async def collect(self) -> Remains:
        raise NotImplementedError("there is no image that a folder could differ from")

    @asynccontextmanager
    async def fork(self) -> AsyncIterator[Sandbox]:
        with TemporaryDirectory() as copy:
            shutil.copytree(self.workdir, copy, symlinks=True, dirs_exist_ok=True)
            yield DirectoryBox(Path(copy))


def _done(code: int, out: bytes, err: bytes, began: float, **more: str) -> Done:
    return Done.model_validate(
        {
            "code": code,
            "out": out[:KEPT].decode(errors="replace"),
            "err": err[:KEPT].decode(errors="replace"),
            "truncated": len(out) > KEPT or len(err) > KEPT,
            "seconds": time.monotonic() - began,
            **more,
        }
    )
