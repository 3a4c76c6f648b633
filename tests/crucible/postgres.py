"""A PostgreSQL server of the tests' own: it refuses to run as root, so it runs as somebody else."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from tests.patience import HUNG, wait_until


def programs() -> Path:
    """The newest installed server's programs; Debian keeps them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    here = shutil.which("pg_ctl")
    if not found and not here:
        pytest.skip("PostgreSQL is not installed: crucible setup --for-tests")
    return (found[-1] if found else Path(str(here))).parent


@dataclass
class Server:
    """One cluster in a folder, on a loopback port."""

    folder: Path
    port: int
    made: int = 0

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off -k {self.folder}"
        self._control("start", "-w", "-t", str(int(HUNG)), "-o", options, "-l", str(self.folder / "log"))

    def stop(self) -> None:
        self._control("stop", "-w", "-t", str(int(HUNG)), "-m", "immediate")

    def kill(self) -> None:
        """All its processes at once, as when the machine fails."""
        main = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        os.kill(main, signal.SIGSTOP)  # it starts no more of them
        helpers = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        every = [main, *map(int, helpers)]
        for process in every:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        wait_until(lambda: not any(Path(f"/proc/{process}").exists() for process in every), "a burial")

    def database(self, language: str = "") -> str:
        """The URL of a new, empty database; one that sorts as people of a language do, if told which."""
        self.made += 1
        sorts = f"TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE '{language}'" if language else ""
        name = f"ledger{self.made}"
        with psycopg.connect(f"host=127.0.0.1 port={self.port} user=tests dbname=postgres", autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name} {sorts}")
        return f"postgresql+psycopg://tests@127.0.0.1:{self.port}/{name}"

    def init(self) -> None:
        options = ("-A", "trust", "-U", "tests", "-E", "UTF8", "-N", "--locale=C.UTF-8")
        _as_other([str(programs() / "initdb"), "-D", str(self.folder / "data"), *options])

    def _control(self, *arguments: str) -> None:
        _as_other([str(programs() / "pg_ctl"), "-D", str(self.folder / "data"), *arguments])


@contextmanager
def serving() -> Iterator[Server]:
    """A server until the block ends, its files with it."""
    with tempfile.TemporaryDirectory(prefix="crucible-pg-") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody")
        server = Server(Path(folder), free_port())
        server.init()
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _as_other(command: list[str]) -> None:
    other = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
    done = subprocess.run([*other, *command], cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
