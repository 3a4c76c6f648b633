"""An exported Harbor folder in a real engine: its image, and the reward that its tests leave."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import docker

from crucible.model import Task
from crucible.running.run import Run
from crucible.shards.manifest import Request
from crucible.stages import export
from tests.exporters import attempts

PROXIES = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")


class Made(NamedTuple):
    """The image of an exported folder, and the folder."""

    image: str
    folder: Path


async def exported(run: Run, task: Task, out: Path) -> Path:
    """The folder of a task that was solved."""
    attempts.keep(run, task, attempts.attempt(task))
    await export(run, Request(format="harbor"), out)
    [folder] = (out / "data").iterdir()
    return folder


@contextmanager
def built(engine: docker.DockerClient, folder: Path, base: str) -> Iterator[Made]:
    """Built on another base: the folder names one of a registry, which need not be reachable here."""
    name = f"crucible/harbor-test:{os.getpid()}-{folder.name[:40].lower()}"
    proxies = {key: os.environ[key] for key in PROXIES if key in os.environ}
    arguments = {"BASE": base, **proxies}
    engine.images.build(
        path=str(folder / "environment"), tag=name, buildargs=arguments, network_mode="host", rm=True, forcerm=True
    )
    try:
        yield Made(name, folder)
    finally:
        engine.images.remove(name, force=True)


def reward(engine: docker.DockerClient, made: Made, *before: str) -> float:
    """As Harbor does it: the agent's box, then the tests laid in, as root, with no network."""
    lay = "cp -R /given/solution /solution"
    script = " && ".join(
        [lay, *before, "cp -R /given/tests /tests", "/tests/test.sh >&2", "cat /logs/verifier/reward.txt"]
    )
    mounts = {str(made.folder): {"bind": "/given", "mode": "ro"}}
    said = engine.containers.run(
        made.image, ["/bin/sh", "-c", script], volumes=mounts, network_mode="none", remove=True
    )
    return float(said)
