"""The engine: why none answers, and starting one that neither dies with us nor holds our streams."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from crucible.settings import DockerSettings, Settings
from crucible.setup import engine, needs
from tests.patience import HUNG

START = """
from pathlib import Path
from crucible.errors import EngineMissing
from crucible.settings import Settings
from crucible.setup import engine
settings = Settings(home=Path("/run/home"))
try:
    engine.ask_engine(settings)
except EngineMissing as missing:
    print(missing.line())
print(engine.start_engine(settings))
print(engine.start_engine(settings))
"""
ASK = """
from crucible.errors import EngineMissing
from crucible.settings import Settings
from crucible.setup import engine
import os
os.setuid(65534)
try:
    engine.ask_engine(Settings())
except EngineMissing as missing:
    print(missing.line())
"""


def test_an_engine_that_answers_tells_its_version() -> None:
    found = engine.ask_engine(Settings())
    assert found.version
    assert found.storage


@pytest.mark.parametrize("url", ["unix:///nowhere/docker.sock", "tcp://127.0.0.1:1"])
def test_an_engine_that_the_user_named_and_that_is_silent_is_told(url: str) -> None:
    with pytest.raises(engine.EngineMissing, match="no Docker engine answers at") as told:
        engine.ask_engine(Settings(docker=DockerSettings(url=url)))
    assert "docker.url" in told.value.remedy


def test_without_the_daemon_docker_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    assert "not running" in str(engine._missing(Settings(), OSError()))
    monkeypatch.setattr(needs, "SYSTEM_FOLDERS", ())
    monkeypatch.setenv("PATH", "")
    assert "not installed" in str(engine._missing(Settings(), OSError()))


def test_a_socket_that_refuses_this_user_is_told(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("becoming another user needs root")
    path = tmp_path / "docker.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        env = os.environ | {"DOCKER_HOST": f"unix://{path}"}
        asked = subprocess.run([sys.executable, "-c", ASK], env=env, capture_output=True, text=True, check=True)
    assert "permission denied on its socket" in asked.stdout
    assert "usermod -aG docker" in asked.stdout


def test_an_engine_is_started_where_none_answers_and_once_only() -> None:
    """In a namespace of its own, where the machine's engine cannot be seen; the pipe closes although it runs on."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("a second engine needs root and unshare")
    fresh = "for place in /run /var/lib/docker; do mkdir -p $place && mount -t tmpfs tmpfs $place || exit 77; done"
    script = f"{fresh}; {sys.executable} -c '{START}'"
    done = subprocess.run(
        ["unshare", "--mount", "--net", "--pid", "--fork", "--mount-proc", "bash", "-c", script],
        env={name: value for name, value in os.environ.items() if name != "DOCKER_HOST"},
        capture_output=True,
        text=True,
        timeout=HUNG,
        check=False,
    )
    if done.returncode == 77 or "unshare failed" in done.stderr:
        pytest.skip("this machine does not let root make a namespace")
    assert done.returncode == 0, done.stderr
    silent, started, again = done.stdout.splitlines()
    assert "not running" in silent
    assert "started" in started
    assert again.endswith("answers")


def test_who_is_not_root_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(_: Settings) -> engine.Engine:
        raise engine.EngineMissing("the Docker engine is not running")

    monkeypatch.setattr(engine, "ask_engine", silent)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(subprocess, "Popen", None)
    with pytest.raises(engine.EngineMissing, match="not running"):
        engine.start_engine(Settings())


def test_pid_files_of_the_dead_are_removed_and_those_of_the_living_are_not(tmp_path: Path) -> None:
    unburied = subprocess.Popen(["true"])
    os.waitid(os.P_PID, unburied.pid, os.WEXITED | os.WNOWAIT)
    (tmp_path / "docker" / "containerd").mkdir(parents=True)
    dead, alive = tmp_path / "docker" / "containerd" / "containerd.pid", tmp_path / "docker.pid"
    dead.write_text(f"{unburied.pid}\n")
    alive.write_text(str(os.getpid()))
    assert engine.clear_stale(tmp_path) == [dead]
    assert alive.exists()
    assert not dead.exists()
    unburied.wait()
