"""A process killed with -9 leaves nothing behind once someone sweeps."""

import signal
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import docker
import pytest

from crucible.sandbox import Env, World
from envs.docker import firewall
from envs.docker.labels import OWNER

HOLD = """
import asyncio, sys
from crucible import parts
from crucible.store.blobs import Blobs
from crucible.sandbox import Env, Network, Recipe
from crucible.running.scratch import scratch
from crucible.settings import Settings

async def main():
    settings = Settings(home=sys.argv[1])
    with scratch("held"):
        async with parts.find("env", "docker").make(settings, Blobs(settings.blobs)) as world:
            recipe = Recipe(packages=("ca-certificates", "git", "python3", "python3-venv"))
            env = Env(recipe=recipe, network=Network(mode="internal"))
            async with world.open(env) as box, box.fork():
                print("open", flush=True)
                await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_a_killed_process_leaves_no_box_network_image_or_folder_after_gc(
    world: World, plain: Env, tmp_path: Path
) -> None:
    await world.prepare(plain)
    before = _owned()
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "open\n"
    assert len(_owned() - before) >= 4
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    command = [sys.executable, "-m", "crucible", "gc", "--set", f"home={tmp_path}"]
    swept = subprocess.run(command, capture_output=True, text=True, check=False)
    assert swept.returncode == 0, swept.stderr
    assert _owned() - before == set()


async def test_a_sweep_spares_the_living(world: World, plain: Env) -> None:
    async with world.open(plain) as box:
        await world.sweep([plain])
        assert (await box.exec("echo alive")).out == "alive\n"


def _owned() -> set[str]:
    """Everything on this machine that carries an owner."""
    with closing(docker.from_env()) as client:
        api, wanted = client.api, {"label": OWNER}
        found = {row["Id"] for row in api.containers(all=True, filters=wanted)}
        found |= {row["Id"] for row in api.networks(filters=wanted)}
        found |= {row["Id"] for row in api.images(filters=wanted)}
    found |= {path.name for path in Path(tempfile.gettempdir()).glob("crucible-scratch-*")}
    if firewall.can_guard():
        found |= set(firewall._rules())
    return found


@pytest.fixture(autouse=True)
def _checkout_as_working_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])
