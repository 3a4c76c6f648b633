"""Stores of a test's own, a clock that it moves, and disks that are small or read-only."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crucible.cli.app import invoke
from crucible.cli.options import move_options_first
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.store.blobs import Blobs
from crucible.store.ledger import Ledger, open_ledger
from tests.crucible.postgres import Server, serving
from tests.patience import HUNG

Disk = Callable[[str], Path]
Command = Callable[..., subprocess.CompletedProcess[str]]


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """A run with a ledger of its own, to export from."""
    with open_run(Settings(home=tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where to export to."""
    return tmp_path / "out"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/ledger.sqlite"
    server: Server = request.getfixturevalue("postgres")
    return server.database()


@pytest.fixture
def ledger(database: str, tmp_path: Path, clock: Clock) -> Iterator[Ledger]:
    with open_ledger(database, Blobs(str(tmp_path / "blobs")), clock=clock) as opened:
        yield opened


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Mounts a small disk; call it again with `ro` to make it read-only."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root")
    place = tmp_path / "disk"
    place.mkdir()
    mounted = False

    def mount(options: str) -> Path:
        nonlocal mounted
        options = f"remount,{options}" if mounted else options
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            pytest.skip(f"this machine does not let root mount a small disk: {done.stderr.strip()}")
        mounted = True
        return place

    yield mount
    if mounted:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The `crucible` command in an empty folder, without the seconds that a process of its own takes to start."""

    def call(*arguments: str, cwd: Path = tmp_path, **variables: str) -> subprocess.CompletedProcess[str]:
        with monkeypatch.context() as patch:
            for name in list(os.environ):
                if name.startswith("CRUCIBLE_"):
                    patch.delenv(name)
            for name, value in ({"COLUMNS": "200"} | variables).items():
                patch.setenv(name, value)
            patch.chdir(cwd)
            capsys.readouterr()
            code = invoke(move_options_first(arguments))
        return subprocess.CompletedProcess(arguments, code, *capsys.readouterr())

    return call


@pytest.fixture
def process(tmp_path: Path) -> Command:
    """The `crucible` command in an empty folder, as a user runs it: a process of its own."""

    def call(*arguments: str, cwd: Path = tmp_path, **variables: str) -> subprocess.CompletedProcess[str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("CRUCIBLE_")}
        return subprocess.run(
            [sys.executable, "-m", "crucible", *arguments],
            cwd=cwd,
            env=clean | {"COLUMNS": "200"} | variables,
            capture_output=True,
            text=True,
            timeout=HUNG,
            check=False,
        )

    return call
