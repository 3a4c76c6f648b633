"""A Docker engine of the test's own, to be killed and started again without touching the machine's."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import docker

from tests.patience import HUNG, wait_until


class SecondEngine:
    """An engine with its own data, socket and process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"unix://{folder}/engine.sock"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        log = (self.folder / "log").open("ab")
        command = ["unshare", "--net"]  # in the machine's own network it would take the first engine's bridge away
        command += [
            "dockerd",
            f"--host={self.url}",
            f"--data-root={self.folder}/data",
            f"--exec-root={self.folder}/run",
        ]
        command += [f"--pidfile={self.folder}/pid", "--iptables=false"]
        with log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        self._wait()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(HUNG)
        (self.folder / "pid").unlink(missing_ok=True)
        for pid in (self.folder / "run").rglob("containerd.pid"):  # left behind by a kill
            with suppress(ProcessLookupError, FileNotFoundError):
                os.kill(int(pid.read_text()), signal.SIGKILL)
            pid.unlink(missing_ok=True)

    def _wait(self) -> None:
        wait_until(self._answers, f"the engine whose log is {self.folder}/log")

    def _answers(self) -> bool:
        with (
            suppress(docker.errors.DockerException, OSError),
            closing(docker.DockerClient(base_url=self.url)) as client,
        ):
            return bool(client.ping())
        return False


@contextmanager
def second_engine(images: list[str]) -> Iterator[SecondEngine]:
    """An engine that has these images of the machine's own engine."""
    folder = Path(subprocess.check_output(["mktemp", "-d", "/tmp/crucible-engine-XXXX"], text=True).strip())
    engine = SecondEngine(folder)
    engine.start()
    try:
        first = docker.from_env(timeout=int(HUNG))
        second = docker.DockerClient(base_url=engine.url, timeout=int(HUNG))
        for image in images:
            second.images.load(first.images.get(image).save(named=True))
        first.close()
        second.close()
        yield engine
    finally:
        engine.stop()
        _unmount(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _unmount(folder: Path) -> None:
    """What the engine mounted below its folder, the innermost first."""
    places = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    for place in reversed([place for place in places if place.startswith(str(folder))]):
        subprocess.run(["umount", "-l", place], capture_output=True, check=False)
