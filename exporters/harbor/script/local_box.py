"""Stands in for `crucible.sandbox` where a folder is graded: the box is the container that the grader runs in.

The grader is root there and the script is run as the user who works in the box. Where the grader is that user, it
cannot be kept from what the script does to it.
"""

from __future__ import annotations

import io
import os
import pwd
import signal
import subprocess
import tarfile
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from crucible.record import Record

KEPT_BYTES = 256 << 10
"""Of each stream of one command; what is longer is cut in the middle, as in a box."""
ROUNDS = 100
"""How often processes are looked for until none is left."""
MOST_REMAINS = 64 << 20
"""Bytes of what is left that are compared, as in a box (`Limits.remains_mb`)."""


MARK = {"CRUCIBLE_GRADING": "1"}
"""What the environment of a command of root's has, so that what it leaves running is found."""


class Done(Record):
    """A command that ended."""

    code: int
    out: str = ""
    err: str = ""
    stopped: str = ""

    @property
    def ok(self) -> bool:
        return self.code == 0 and not self.stopped


class Remains(Record):
    """What is in the box's folder for temporary files, as a tar archive; an empty one where `left` is `too_large`."""

    archive: bytes
    left: str = "changed"
    detail: str = ""


class LocalBox:
    """Runs commands, lays files and collects them in this very container."""

    def __init__(self, workdir: str, user: str) -> None:
        self.workdir = workdir
        self._account = pwd.getpwnam(user) if os.getuid() == 0 else pwd.getpwuid(os.getuid())

    async def exec(
        self, command: str, *, timeout: float | None = None, user: str | None = None, **_others: object
    ) -> Done:
        """Run a shell command in the workdir, as the user who works there, or as the grader itself for `root`."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            # files, not pipes: what a command leaves running would hold a pipe open
            process = subprocess.Popen(
                ["/bin/bash", "-c", command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=self.workdir,
                env={
                    "PATH": os.environ["PATH"],
                    "HOME": self._account.pw_dir,
                    "USER": self._account.pw_name,
                    **(MARK if user == "root" else {}),
                },
                start_new_session=True,
                **({} if user == "root" else self._identity()),
            )
            try:
                code, stopped = process.wait(timeout), ""
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                code, stopped = process.wait(), "timeout"
            return Done(code=code, out=_read_kept(out), err=_read_kept(err), stopped=stopped)

    async def write(self, path: str, data: bytes, *, mode: int = 0o644, **_others: object) -> None:
        """Put a file of the user's; a link that stands there is not followed."""
        place = Path(self.workdir, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        with place.open("xb") as file:
            file.write(data)
            os.fchmod(file.fileno(), mode)
            os.fchown(file.fileno(), self._account.pw_uid, self._account.pw_gid)

    async def read(self, path: str, *, limit: int = 1 << 24) -> bytes:
        """A file's bytes."""
        with Path(self.workdir, path).open("rb") as file:
            return file.read(limit)

    async def end_processes(self) -> None:
        """End every process of the user's but those that this one runs in, and what was left running as root."""
        for _ in range(ROUNDS):
            running = [*_list_processes(self._account.pw_uid), *filter(_is_marked, _list_processes(os.getuid()))]
            others = [number for number in running if number not in _ancestors()]
            if not others:
                return
            for number in others:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            time.sleep(0.02)

    async def collect(self) -> Remains:
        """What lies in `/tmp`, with its modes."""
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
            archive.add("/tmp")
        if buffer.tell() > MOST_REMAINS:
            return Remains(archive=b"", left="too_large", detail=f"more than {MOST_REMAINS >> 20} MB are left")
        return Remains(archive=buffer.getvalue())

    def _identity(self) -> dict[str, Any]:
        """What makes root run a command as the user."""
        if os.getuid() != 0:
            return {}
        return {"user": self._account.pw_uid, "group": self._account.pw_gid, "extra_groups": []}


Sandbox = LocalBox


def _read_kept(stream: Any) -> str:
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    if size <= KEPT_BYTES:
        return str(stream.read().decode(errors="replace"))
    head = stream.read(KEPT_BYTES // 2)
    stream.seek(size - KEPT_BYTES // 2)
    middle = f"\n[... {size - KEPT_BYTES} bytes left out ...]\n".encode()
    return str((head + middle + stream.read()).decode(errors="replace"))


def _list_processes(owner: int) -> list[int]:
    """The living processes of a user."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
            if place.stat().st_uid == owner and state != "Z":
                found.append(int(place.name))
        except OSError:  # it ended meanwhile
            continue
    return found


def _is_marked(number: int) -> bool:
    """Whether a process was started by a command of root's."""
    [(name, value)] = MARK.items()
    try:
        return f"{name}={value}".encode() in Path(f"/proc/{number}/environ").read_bytes().split(b"\0")
    except OSError:  # it ended meanwhile, or is another's
        return False


def _ancestors() -> set[int]:
    """This process, those that it was started by, and the container's first."""
    number, found = os.getpid(), {1}
    while number > 1:
        found.add(number)
        number = int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
    return found
