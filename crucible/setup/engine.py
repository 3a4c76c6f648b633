"""Whether a Docker engine answers, why not if it does not, and starting one where that is ours to do."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import docker
from docker.errors import DockerException

from crucible.errors import EngineMissing
from crucible.record import Record
from crucible.settings import Settings
from crucible.setup.needs import read_needs
from crucible.store.owner import is_running

PING_SECONDS = 60
START_SECONDS = 300
RUN = Path("/var/run")


class Engine(Record):
    """A Docker engine that answers: its version, its storage, its images."""

    version: str
    storage: str
    images: tuple[str, ...] = ()


def ask_engine(settings: Settings) -> Engine:
    """What the engine says of itself; EngineMissing with the remedy when none answers."""
    try:
        client = _client(settings)
        try:
            info = client.info()
            tags = [tag for image in client.images() for tag in image.get("RepoTags") or ()]
        finally:
            client.close()
    except (DockerException, OSError) as silent:
        raise _missing(settings, silent) from silent
    return Engine(version=info["ServerVersion"], storage=info["Driver"], images=tuple(tags))


def start_engine(settings: Settings) -> str:
    """Start an engine if none answers: as root only. It lives on when we end; returns what was done."""
    try:
        return f"docker engine {ask_engine(settings).version} answers"
    except EngineMissing:
        if os.geteuid() != 0 or not _daemon() or _elsewhere(settings):
            raise
    clear_stale()
    journal = settings.home.absolute() / "dockerd.log"
    journal.parent.mkdir(parents=True, exist_ok=True)
    with journal.open("ab") as log:
        detached: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
        daemon = subprocess.Popen([_daemon()], start_new_session=True, close_fds=True, cwd="/", **detached)
    return _await(settings, daemon, journal)


def clear_stale(run: Path = RUN) -> list[Path]:
    """Remove the pid files of an engine that was killed. A new one takes a dead process that nobody has buried
    for a living one, and waits for it in vain."""
    files = [path for path in (run / "docker.pid", run / "docker/containerd/containerd.pid") if path.is_file()]
    stale = [path for path in files if not is_running(int(path.read_text().strip() or 0))]
    for path in stale:
        path.unlink(missing_ok=True)
    return stale


def _await(settings: Settings, daemon: subprocess.Popen[bytes], journal: Path) -> str:
    """Wait until it answers; it ends with `daemon.poll()` set when it gave up."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            engine = ask_engine(settings)
        except EngineMissing:
            if daemon.poll() is not None:
                break
            time.sleep(0.3)
        else:
            daemon.returncode = 0  # it is not ours to wait for
            return f"docker engine {engine.version} started; its log is {journal}"
    end = " | ".join(journal.read_text("utf-8", "replace").splitlines()[-5:])
    raise EngineMissing(f"the Docker engine did not start: {end}", f"see {journal}")


def _client(settings: Settings) -> docker.APIClient:
    address = settings.docker.url or os.environ.get("DOCKER_HOST") or None
    return docker.APIClient(base_url=address, timeout=PING_SECONDS)


def _daemon() -> str:
    return next(need.program() for need in read_needs() if need.name == "docker")


def _elsewhere(settings: Settings) -> bool:
    """The user names an engine: then it is not ours to start another."""
    return bool(settings.docker.url or os.environ.get("DOCKER_HOST"))


def _missing(settings: Settings, silent: BaseException) -> EngineMissing:
    """Three different troubles with three remedies, and a fourth when the engine is named by the user."""
    address = settings.docker.url or os.environ.get("DOCKER_HOST") or ""
    if _caused_by(silent, PermissionError):
        return EngineMissing(
            "the Docker engine refuses this user: permission denied on its socket",
            "`sudo usermod -aG docker $USER`, then log in again",
        )
    if address:
        return EngineMissing(f"no Docker engine answers at {address}", "correct docker.url or DOCKER_HOST")
    if not _daemon():
        return EngineMissing("Docker is not installed", "as root: crucible setup; or install Docker")
    return EngineMissing(
        "the Docker engine is not running", "as root: crucible setup; or `sudo systemctl start docker`"
    )


def _caused_by(error: BaseException, kind: type[BaseException]) -> bool:
    """Whether an error of that kind is anywhere in the chain; the SDK buries it deep."""
    seen: list[BaseException] = [error]
    for fault in seen:
        inner = [fault.__cause__, fault.__context__, *(arg for arg in fault.args if isinstance(arg, BaseException))]
        seen.extend(cause for cause in inner if cause is not None and cause not in seen)
    return any(isinstance(one, kind) for one in seen)
