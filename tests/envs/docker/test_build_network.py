"""What an image build reaches: package indexes, and nothing of the machine it runs on."""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crucible.errors import RecipeError
from crucible.sandbox import Env, Recipe, World
from crucible.settings import DockerSettings, Settings
from crucible.store.blobs import Blobs
from envs.docker import firewall
from envs.docker.build_network import find_name_servers
from envs.docker.world import docker as docker_world
from tests.patience import wait_for

KNOCK = """import socket
gateway = next(row.split()[2] for row in open('/proc/net/route') if row.split()[1] == '00000000')
gateway = '.'.join(str(byte) for byte in reversed(bytes.fromhex(gateway)))
for host in ('127.0.0.1', gateway, '{address}', '169.254.169.254', '10.255.255.1'):
    try:
        socket.create_connection((host, {port}), 5).close()
        print('reached', host)
    except OSError as refused:
        print('refused', host, refused)
"""
"""Tries whatever could lead to this machine, and says what answered."""


PAGE = b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\npackage"


async def _recipe(world: World, *commands: str, **fields: object) -> Recipe:
    """A recipe on the usual image, that no layer of an earlier run fits."""
    return Recipe(base=await world.prepare(), commands=(f": {secrets.token_hex(8)}", *commands), **fields)


@pytest.mark.slow
@pytest.mark.skipif(not firewall.can_guard(), reason="needs root and iptables to set packet filters")
async def test_a_build_installs_packages_and_reaches_nothing_of_this_machine(world: World) -> None:
    async with _listener() as (port, callers):
        knock = KNOCK.format(port=port, address=_own_address())
        files = {"/knock.py": knock}
        install = "apt-get update -q && apt-get install -yq --no-install-recommends hello && hello"
        pip = "python3 -m venv /v && /v/bin/pip install -q --no-deps iniconfig && /v/bin/python -c 'import iniconfig'"
        recipe = await _recipe(world, "python3 /knock.py > /knocked", install, pip, files=files)
        async with world.open(Env(recipe=recipe)) as box:
            knocked = (await box.read("/knocked")).decode()
    assert [line.split()[0] for line in knocked.splitlines()] == ["refused"] * 5, knocked
    assert callers == []


async def test_a_recipe_without_network_has_none_while_it_is_built(world: World) -> None:
    alone = "! grep -v '^ *lo:' /proc/net/dev | grep : && echo built alone && exit 3"
    recipe = await _recipe(world, alone, network="none")
    with pytest.raises(RecipeError) as caught:
        await world.prepare(Env(recipe=recipe))
    assert "built alone" in caught.value.log


@pytest.mark.skipif(not firewall.can_guard(), reason="needs root and iptables to set packet filters")
async def test_a_proxy_on_this_machines_loopback_is_reached_by_builds(
    blobs: Blobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    get = "python3 -c \"import urllib.request as u; print(u.urlopen('http://index.example/x', timeout=60).read())\""
    async with _listener(PAGE) as (port, callers):
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{port}")
        async with docker_world(Settings(home=tmp_path, docker=DockerSettings(pool=0)), blobs) as world:
            recipe = await _recipe(world, f"{get}; exit 3")
            with pytest.raises(RecipeError) as caught:
                await world.prepare(Env(recipe=recipe))
    assert "b'package'" in caught.value.log
    assert callers


@pytest.mark.skipif(not firewall.can_guard(), reason="needs root and iptables to set packet filters")
async def test_the_network_of_builds_and_its_filters_are_gone_when_the_world_is_closed(
    blobs: Blobs, tmp_path: Path
) -> None:
    async with docker_world(Settings(home=tmp_path, docker=DockerSettings(pool=0)), blobs) as world:
        before = set(firewall.list_rules())
        recipe = await _recipe(world, "exit 3")
        with pytest.raises(RecipeError):
            await world.prepare(Env(recipe=recipe))
        own = set(firewall.list_rules()) - before
        assert own
    await wait_for(lambda: not own & set(firewall.list_rules()), "the engine keeps filters of a network that is gone")


def test_name_servers_on_loopback_are_left_to_the_engine() -> None:
    assert not [server for server in find_name_servers() if server.startswith("127.")]


@asynccontextmanager
async def _listener(answer: bytes = b"") -> AsyncIterator[tuple[int, list[object]]]:
    """A service on every address of this machine; yields its port and who called."""
    callers: list[object] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        callers.append(writer.get_extra_info("peername"))
        writer.write(answer)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "0.0.0.0", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], callers


def _own_address() -> str:
    """The address by which this machine goes out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
