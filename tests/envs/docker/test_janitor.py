"""A process killed with -9 leaves nothing behind once someone sweeps."""

import signal
import subprocess
import sys
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import cast

import docker
import pytest

from crucible.running import scratch
from crucible.sandbox import Env, World
from crucible.settings import DockerSettings, Settings
from crucible.store.blobs import Blobs
from envs.docker import firewall
from envs.docker.janitor import sweep_dead_owners
from envs.docker.labels import OWNER_LABEL
from envs.docker.world import docker as docker_world
from envs.packages.cache import sweep_cache

ROOMY = 1e6
"""A budget in gigabytes that no machine exceeds: images of other runs stay."""

HOLD = """
import asyncio, sys
from crucible import parts
from crucible.store.blobs import Blobs
from crucible.sandbox import Env, Network, Networks, Recipe
from crucible.running.scratch import open_scratch_folder
from crucible.settings import Settings
from crucible.store.owner import current_owner

async def main():
    settings = Settings(home=sys.argv[1])
    with open_scratch_folder("held"):
        async with parts.find("env", "docker").make(settings, Blobs(settings.blobs)) as world:
            recipe = Recipe(packages=("ca-certificates", "git", "python3", "python3-venv"))
            env = Env(recipe=recipe, networks=Networks(attempting=Network(mode="internal")))
            async with world.open(env) as box, box.fork():
                print(current_owner(), flush=True)
                await asyncio.sleep(9999)

asyncio.run(main())
"""


async def test_a_killed_process_leaves_no_box_network_image_or_folder_after_gc(
    world: World, plain: Env, tmp_path: Path
) -> None:
    await world.prepare(plain)
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    owner = holder.stdout.readline().strip()
    bridges = _bridges(owner)
    before = _owned_by(owner) | _guarded(bridges)
    kinds = {"box", "network", "image", "folder"} | ({"rule"} if firewall.can_guard() else set())
    assert {thing.partition(" ")[0] for thing in before} == kinds
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    command = [
        sys.executable,
        "-m",
        "crucible",
        "gc",
        "--set",
        f"home={tmp_path}",
        "--set",
        f"docker.budget_gb={ROOMY}",
    ]
    swept = subprocess.run(command, capture_output=True, text=True, check=False)
    assert swept.returncode == 0, swept.stderr
    assert _owned_by(owner) | _guarded(bridges) == set()


async def test_a_sweep_spares_the_living(plain: Env, blobs: Blobs, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, docker=DockerSettings(pool=0, budget_gb=ROOMY))
    async with docker_world(settings, blobs) as world, world.open(plain) as box:
        await world.sweep([plain])
        assert (await box.exec("echo alive")).out == "alive\n"


class HalfRemoved:
    """An engine that was cut off while it removed a container: it lists it, and knows it no more."""

    def containers(self, **_asked: object) -> list[dict[str, object]]:
        return [{"Id": "0" * 64, "Names": [], "Labels": {OWNER_LABEL: "gone"}, "NetworkSettings": {"Networks": {}}}]

    def networks(self, **_asked: object) -> list[dict[str, object]]:
        return []

    images = networks


def test_a_box_that_the_engine_half_removed_keeps_nobody_from_sweeping() -> None:
    api = cast(docker.APIClient, HalfRemoved())
    assert sweep_dead_owners(api, lambda _: True) == []
    assert sweep_cache(api) == []


def _owned_by(owner: str) -> set[str]:
    """What one process has on this machine, each with its kind. Other processes may use the engine meanwhile."""
    with closing(docker.from_env()) as client:
        api, labelled = client.api, {"label": f"{OWNER_LABEL}={owner}"}
        owned = {f"box {row['Id']}" for row in api.containers(all=True, filters=labelled)}
        owned |= {f"network {row['Id']}" for row in api.networks(filters=labelled)}
        owned |= {f"image {row['Id']}" for row in api.images(filters=labelled)}
    for folder in Path(tempfile.gettempdir()).glob(f"{scratch.PREFIX}*"):
        with suppress(OSError):  # another process' folder has gone meanwhile
            owned |= {f"folder {folder}"} if (folder / scratch.OWNER).read_text() == owner else set()
    return owned


def _bridges(owner: str) -> set[str]:
    """The bridges of one process' networks, by which packet filters know them."""
    with closing(docker.from_env()) as client:
        networks = client.api.networks(filters={"label": f"{OWNER_LABEL}={owner}"})
    return {network["Options"]["com.docker.network.bridge.name"] for network in networks}


def _guarded(bridges: set[str]) -> set[str]:
    """The packet filters on these bridges; none where this process may not list them."""
    rules = firewall.list_rules() if firewall.can_guard() else []
    return {f"rule {rule}" for rule in rules if bridges & set(rule.split())}


@pytest.fixture(autouse=True)
def _checkout_as_working_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])
