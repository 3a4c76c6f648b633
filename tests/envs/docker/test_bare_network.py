"""A box without a network has itself to talk to, by name, and nothing else."""

from __future__ import annotations

import platform
from types import SimpleNamespace
from typing import Any

import pytest

from crucible.sandbox import Env, World
from envs.docker.bare_network import find_hosts_file

LISTEN = "import socket; s = socket.create_server(('::1', 8123), family=socket.AF_INET6)"
TALK = f"{LISTEN}; socket.create_connection(('localhost', 8123)).close(); print('heard')"


async def test_a_box_without_a_network_reaches_itself_by_name_and_nothing_else(world: World, plain: Env) -> None:
    async with world.open(plain) as box:
        assert (await box.exec("ls /sys/class/net")).out.split() == ["lo"]
        assert "127.0.0.1" in (await box.exec("getent ahosts localhost")).out
        assert (await box.exec(f'python3 -c "{TALK}"')).out.strip() == "heard"
        assert not (await box.exec("echo 127.0.0.1 elsewhere >> /etc/hosts", user="root")).ok
        assert not (await box.exec("getent hosts example.com")).ok
        async with world.open_beside(box, plain) as other:
            assert (await other.exec("ls /sys/class/net")).out.split() == ["lo"]
            assert "127.0.0.1" in (await other.exec("getent ahosts localhost")).out


HERE = {"Name": platform.node(), "DockerRootDir": "/", "SecurityOptions": ["name=seccomp,profile=default"]}


@pytest.mark.parametrize(
    ("facts", "is_taken"),
    [
        (HERE, True),
        (HERE | {"Name": "elsewhere"}, False),
        (HERE | {"DockerRootDir": "/not/on/this/machine"}, False),
        (HERE | {"SecurityOptions": ["name=rootless"]}, False),
        (HERE | {"SecurityOptions": ["name=selinux"]}, False),
    ],
)
async def test_only_an_engine_that_can_read_our_file_is_given_it(facts: dict[str, Any], is_taken: bool) -> None:
    async def call(method: Any) -> Any:
        return method()

    engine: Any = SimpleNamespace(call=call, api=SimpleNamespace(info=lambda: facts))
    assert (await find_hosts_file(engine) is not None) == is_taken
