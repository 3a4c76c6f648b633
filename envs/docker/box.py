"""A box: one container, its files, and its limits.

A box whose files pass its limits of disk or inodes is stopped for good: BoxExhausted. What else may befall a box is
told in `shells.py`.
"""

from __future__ import annotations

import asyncio
import base64
import posixpath
import secrets
import shlex
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from typing import Any

from docker.errors import NotFound

from crucible.errors import BoxExhausted, SandboxError
from crucible.sandbox import Done, Remains, Sandbox, Stat
from envs.docker.box_plan import BoxPlan
from envs.docker.changed_paths import list_changed_paths
from envs.docker.disk import DiskWatch
from envs.docker.local_files import read_file, stat_file
from envs.docker.original_files import lay_original
from envs.docker.remains import collect_remains
from envs.docker.shell import LONGEST_COMMAND
from envs.docker.shells import TRUSTED, Shells
from envs.docker.writing import FileWriter
from envs.engine import Engine

DISK_WATCH_SECONDS = 1.0
"""Seconds after which the disk is looked at again while a command runs."""
SMALL_FILE_BYTES = 60_000
"""Bytes that a file may have to be written by a shell command instead of through the engine."""


class Box:
    """An open box. Implements `crucible.sandbox.Sandbox`."""

    def __init__(self, engine: Engine, container: str, plan: BoxPlan, fork: Callable[[Box], Any]) -> None:
        self.container = container
        self.plan = plan
        self.env = plan.env
        self.own_image = ""
        """The image that was made for this box alone, if it stands on one."""
        self.address = ""
        self.fork_images: dict[int, str] = {}
        """Images of this box's files, by how often it had been used when each was made."""
        self.uses = 0
        """Commands and writes that were begun, and that ended."""
        self._still_at = 0
        """How often it had been used when nothing ran in it but its shells."""
        self.fork_removals: list[asyncio.Task[None]] = []
        """The removal of each box that was forked from this one."""
        self._engine = engine
        self._fork = fork
        self._shells = Shells(engine, container, plan)
        self._owners: dict[str, tuple[int, int]] = {"root": (0, 0), TRUSTED: (0, 0)}
        self._writer = FileWriter(engine, container)
        self._disk = DiskWatch(engine, container, plan.env.limits)
        self._exhausted: BoxExhausted | None = None

    async def exec(
        self,
        command: str,
        *,
        timeout: float | None = None,
        user: str | None = None,
        stdin: bytes = b"",
        trusted: bool = False,
    ) -> Done:
        """Run a shell command in the workdir, as the recipe's user, as another, or by the grader's tools."""
        self._raise_if_exhausted()
        user = TRUSTED if trusted else user
        if "\0" in command:
            return Done(code=126, err="a command cannot contain NUL\n")
        limit = self.env.limits.seconds if timeout is None else timeout
        with self._count_use():
            command = await self._with_files(command, stdin, user)
            return await self._run_watching_disk(self._shells.run(command, limit, user or self.env.recipe.user))

    async def read(self, path: str, *, limit: int = 1 << 24) -> bytes:
        """A file's bytes, through the engine."""
        self._raise_if_exhausted()
        return await read_file(self._engine, self.container, self._absolute_path(path), limit)

    async def stat(self, path: str) -> Stat:
        """What is at the path, through the engine."""
        self._raise_if_exhausted()
        return await stat_file(self._engine, self.container, self._absolute_path(path))

    async def lay_original(self, folder: str, place: str) -> None:
        """Put a folder of the image at another place, through the engine."""
        self._raise_if_exhausted()
        with self._count_use():
            await lay_original(self._engine, self.container, self._absolute_path(folder), self._absolute_path(place))

    async def changed_paths(self) -> tuple[str, ...]:
        """What the box has written over its image, through the engine."""
        self._raise_if_exhausted()
        return await list_changed_paths(self._engine, self.container)

    async def end_processes(self) -> None:
        """End what runs in the box but its shells."""
        self._raise_if_exhausted()
        uses = self.uses
        await self._shells.end_others()
        self._still_at = uses

    async def collect(self) -> Remains:
        """What the env's `leaves` asks for, through the engine, while every process is held still. Where none was
        started since the last were ended, there is none to hold."""
        await self.check_disk()
        return await collect_remains(self._engine, self.container, self.env, self._still_at == self.uses)

    async def write(self, path: str, data: bytes, *, mode: int = 0o644, user: str | None = None) -> None:
        """Write a file: a small one of the box's user by its own shell if it may, any other through the engine."""
        self._raise_if_exhausted()
        path = self._absolute_path(path)
        user = user or self.env.recipe.user
        own = user == self.env.recipe.user and not self.plan.tools  # whose shell may be of the attempt's making
        if own and len(data) <= SMALL_FILE_BYTES and await self._write_by_shell(path, data, mode):
            return
        with self._count_use():
            await self._writer.write(path, data, mode, await self._owner_ids(user))
        if not self._disk.seconds_left():
            await self.check_disk()

    def fork(self) -> AbstractAsyncContextManager[Sandbox]:
        """A second box from this one's files, as its commands have left them."""
        self._raise_if_exhausted()
        forked: AbstractAsyncContextManager[Sandbox] = self._fork(self)
        return forked

    async def attach(self) -> None:
        """Take hold of the container's own shell; it must be called before or right after the start."""
        await self._shells.attach()

    def release(self) -> None:
        """Let go of the shells; the world removes the container."""
        self._shells.release()

    @contextmanager
    def _count_use(self) -> Iterator[None]:
        """Count the beginning and the end of something that may change the box's files."""
        self.uses += 1
        try:
            yield
        finally:
            self.uses += 1

    def _raise_if_exhausted(self) -> None:
        if self._exhausted is not None:
            raise self._exhausted

    def _absolute_path(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self.env.workdir, path))

    async def _with_files(self, command: str, stdin: bytes, user: str | None) -> str:
        """The command, after its standard input, and itself if it is too long, were written to files that it reads."""
        place = f"/tmp/.crucible-{secrets.token_hex(8)}"  # no link can wait at a name that nobody knows
        if len(command.encode(errors="surrogatepass")) > LONGEST_COMMAND:
            script = f"rm -f {place}.sh\n{command}"
            await self.write(f"{place}.sh", script.encode(errors="surrogatepass"), user=user)
            command = f'exec "${{BASH:-sh}}" {place}.sh'
        if stdin:
            await self.write(place, stdin, user=user)
            command = f"exec <{place}\nrm -f {place}\n{command}"
        return command

    async def _run_watching_disk(self, run: Awaitable[Done]) -> Done:
        """Await the command, and look at the disk meanwhile and after it; BoxExhausted when a limit is passed."""
        self._disk.begin()
        task = asyncio.ensure_future(run)
        try:
            while not task.done():
                await asyncio.wait((task,), timeout=max(DISK_WATCH_SECONDS, self._disk.seconds_left()))
                if not task.done() or not self._disk.seconds_left():
                    await self.check_disk()
            return task.result()
        except SandboxError:
            self._raise_if_exhausted()  # another command of this box has passed a limit, which ended this one too
            raise
        finally:
            task.cancel()

    async def check_disk(self) -> None:
        """Stop the box for good and raise BoxExhausted if its files have passed the limit of bytes or of inodes."""
        self._raise_if_exhausted()
        self._exhausted = await self._disk.find_excess()
        if self._exhausted is not None:
            self.release()
            with suppress(NotFound, SandboxError):  # it is no longer running
                await self._engine.call(self._engine.api.kill, self.container)
            raise self._exhausted

    async def _write_by_shell(self, path: str, data: bytes, mode: int) -> bool:
        """Write a file by the user's own shell, much quicker than through the engine; False if the user may not.
        With `set -C` no link is followed that a process of the box lays at the last moment."""
        place, folder = shlex.quote(path), shlex.quote(posixpath.dirname(path))
        text = base64.b64encode(data).decode()
        clear = f"mkdir -p {folder} && rm -f {place} && set -C"
        put = f"base64 -d > {place} <<END && chmod {mode:o} {place}\n{text}\nEND"
        return (await self.exec(f"{clear} && {put}")).ok

    async def _owner_ids(self, user: str) -> tuple[int, int]:
        """The numbers of a user of the image and of the user's group."""
        if user not in self._owners:
            passwd = (await self.read("/etc/passwd")).decode(errors="replace")
            rows = [line.split(":") for line in passwd.splitlines()]
            self._owners.update({row[0]: (int(row[2]), int(row[3])) for row in rows if len(row) > 3})
        if user not in self._owners:
            raise SandboxError(f"the image has no user '{user}'")
        return self._owners[user]
