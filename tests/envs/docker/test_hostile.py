"""Whatever an occupant does to its box stays in its box."""

import asyncio
import socket
from contextlib import suppress

import pytest

from crucible.errors import BoxExhausted, SandboxError
from crucible.sandbox import Env, Network, Networks, Sandbox, World
from envs.conformance import with_limits
from tests.patience import HUNG, wait_for


async def test_a_fork_bomb_is_contained_and_the_box_lives_on(world: World, plain: Env) -> None:
    async with world.open(with_limits(plain, pids=64)) as box, world.open(plain) as neighbour:
        await box.exec("touch kept")
        await box.exec("bomb() { bomb | bomb & }; bomb; sleep 5", timeout=3)
        assert (await neighbour.exec("echo fine")).out == "fine\n"
        async with asyncio.timeout(HUNG):
            while "kept" not in (await box.exec("ls")).out:  # no process can be started until the last of them is gone
                await asyncio.sleep(0.2)


async def test_ten_gigabytes_of_output_are_cut_off_early(world: World, plain: Env) -> None:
    async with world.open(plain) as box:
        done = await box.exec("head -c 10G /dev/zero", timeout=HUNG)
        assert done.stopped == "output"
        assert done.truncated
        assert len(done.out) < 600_000
        assert (await box.exec("echo still here")).out == "still here\n"


async def test_one_huge_file_stops_at_the_disk_limit(world: World, plain: Env) -> None:
    async with world.open(with_limits(plain, disk_mb=50)) as box:
        done = await box.exec("head -c 1G /dev/zero > huge; stat -c %s huge")
        assert int(done.out.split()[-1]) <= 50 << 20


async def test_many_files_that_fill_the_disk_exhaust_the_box(world: World, plain: Env) -> None:
    fill = "for i in $(seq 1 2000); do head -c 4M /dev/zero > f$i; sleep 0.01; done"
    async with world.open(with_limits(plain, disk_mb=50)) as box:
        with pytest.raises(BoxExhausted, match="disk"):
            await box.exec(fill, timeout=HUNG)
        with pytest.raises(BoxExhausted):
            await box.exec("echo no more")


async def test_short_commands_that_fill_the_disk_together_exhaust_the_box(world: World, plain: Env) -> None:
    async with world.open(with_limits(plain, disk_mb=50)) as box:
        with pytest.raises(BoxExhausted, match="disk"):
            await _run_each(box, [f"head -c 20M /dev/zero > f{number}" for number in range(16)])


async def test_more_files_than_allowed_exhaust_the_box_also_where_folders_are_nested_deeply(
    world: World, plain: Env
) -> None:
    nest = "import os\nfor _ in range(3000):\n    os.mkdir('deep'); os.chdir('deep')"
    async with world.open(with_limits(plain, inodes=2000)) as box:
        await box.exec("for i in $(seq 1 500); do echo > f$i; done")
        with pytest.raises(BoxExhausted, match="inodes"):
            await box.exec(f'python3 -c "{nest}"; sleep 3')
        with pytest.raises(BoxExhausted, match="inodes"):
            async with box.fork():
                pass


async def test_what_was_written_within_the_blink_of_an_eye_is_seen_before_a_fork(world: World, plain: Env) -> None:
    async with world.open(with_limits(plain, disk_mb=10)) as box:
        with pytest.raises(BoxExhausted, match="disk"):
            await _run_each(box, ["for i in 1 2 3 4; do head -c 5M /dev/zero > f$i; done"])


async def test_memory_beyond_the_limit_kills_the_command_only(world: World, plain: Env) -> None:
    async with world.open(with_limits(plain, memory_mb=128)) as box:
        done = await box.exec("python3 -c 'x = bytearray(1 << 30)'")
        assert done.code != 0
        assert (await box.exec("echo here")).out == "here\n"


async def test_killing_every_process_is_the_occupants_doing_and_no_broken_box(world: World, plain: Env) -> None:
    async with world.open(plain) as box:
        await box.exec("echo kept > file")
        assert (await box.exec("kill -9 -1; sleep 5")).stopped == "killed"
        assert (await box.exec("cat file")).out == "kept\n"


async def test_a_container_removed_from_outside_is_a_broken_box(world: World, plain: Env) -> None:
    async with world.open(plain) as box:
        engine = box._engine  # type: ignore[attr-defined]
        await engine.call(engine.api.remove_container, box.container, force=True)  # type: ignore[attr-defined]
        with pytest.raises(SandboxError):
            await box.exec("echo hello")


async def test_a_container_killed_from_outside_is_a_broken_box_and_not_the_occupants_doing(
    world: World, plain: Env
) -> None:
    async with world.open(plain) as box:
        engine, container = box._engine, box.container  # type: ignore[attr-defined]
        assert (await box.exec("kill -9 -1; sleep 5")).stopped == "killed"
        running = asyncio.create_task(box.exec("touch begun; sleep 60"))
        while not (await box.exec("ls begun", user="root")).ok:
            await asyncio.sleep(0.05)
        await engine.call(engine.api.kill, container)
        with pytest.raises(SandboxError, match="killed from outside"):
            await running


async def test_a_container_stopped_from_outside_between_commands_is_a_broken_box(world: World, plain: Env) -> None:
    async with world.open(plain) as box:
        engine, container = box._engine, box.container  # type: ignore[attr-defined]
        await engine.call(engine.api.restart, container, timeout=0)
        with pytest.raises(SandboxError, match="killed from outside"):
            await box.exec("echo hello")


async def test_a_symlink_out_of_the_box_leads_to_the_boxs_own_files(world: World, plain: Env, tmp_path) -> None:
    (tmp_path / "secret").write_text("of the host")
    async with world.open(plain) as box:
        await box.exec(
            f"ln -s {tmp_path}/secret out; ln -s ../../../../../..{tmp_path}/secret up; ln -s /etc/hostname own"
        )
        for path in ("out", "up"):
            with pytest.raises(FileNotFoundError):
                await box.read(path)
        assert await box.read("own")


@pytest.mark.parametrize("size", [10, 100_000], ids=["small", "large"])
async def test_a_write_is_not_led_astray_by_links(world: World, plain: Env, size: int) -> None:
    async with world.open(plain) as box:
        before = await box.read("/etc/passwd")
        await box.exec("ln -s /etc tests; ln -s /etc/passwd file; mkdir deep; ln -s ../../etc deep/er; ln -s loop loop")
        for path in ("tests/passwd", "deep/er/passwd", "tests/made/passwd", "loop/x"):
            with pytest.raises(ValueError, match="is a link"):
                await box.write(path, b"x" * size)
        await box.write("file", b"x" * size)
        await box.write("file", b"y" * size, user="root")
        assert await box.read("/etc/passwd") == before
        assert await box.read("file") == b"y" * size
        assert (await box.exec("stat -c '%F %U' file; ls /etc/made")).out == "regular file root\n"


async def test_roots_write_follows_the_images_own_links_and_none_of_the_occupants(world: World, plain: Env) -> None:
    async with world.open(plain) as box:
        await box.exec("ln -s /etc tests")
        with pytest.raises(ValueError, match="is a link"):
            await box.write("tests/made", b"x", user="root")
        await box.write("/bin/made", b"x", user="root")
        assert await box.read("/usr/bin/made") == b"x"
        with pytest.raises(IsADirectoryError):
            await box.write("/usr/bin", b"x", user="root")


async def test_a_write_cannot_be_raced_by_a_process_that_swaps_a_folder_for_a_link(world: World, plain: Env) -> None:
    swap = "while :; do mkdir -p tests; rmdir tests; ln -sn /etc tests; rm tests; done"
    async with world.open(plain) as box:
        await box.exec(f"({swap}) >/dev/null 2>&1 &")
        for _ in range(10):
            with suppress(ValueError):
                await box.write("tests/made", b"x" * 100_000)
        assert (await box.exec("ls /etc/made")).out == ""


async def test_standard_input_is_given_though_its_folder_was_made_a_link(world: World, plain: Env) -> None:
    async with world.open(plain) as box:
        await box.exec("rm -rf /tmp/.crucible; ln -s /etc /tmp/.crucible")
        assert (await box.exec("cat", stdin=b"given")).out == "given"
        assert (await box.exec("ls -A /tmp")).out == ".crucible\n"


async def test_a_flooding_background_process_cannot_keep_the_box_from_answering(world: World, plain: Env) -> None:
    async with world.open(plain) as box:
        await box.exec("yes flood & sleep 0.1", timeout=HUNG)
        answers = [await box.exec(f"sleep 0.2; echo {n} > answer{n}; sh -c 'exit 3'", timeout=HUNG) for n in range(3)]
        answered = [n for n, done in enumerate(answers) if (done.code, done.stopped) == (3, "")]
        assert len(answered) >= 2, "the flood passes the output's limit once at most, and is ended by it"
        assert [await box.read(f"answer{n}") for n in answered] == [f"{n}\n".encode() for n in answered]
        assert all(len(done.out) < 600_000 for done in answers)


async def test_the_occupant_cannot_become_root_or_touch_the_system(world: World, plain: Env) -> None:
    async with world.open(plain) as box:
        tries = "cp /bin/sh mine; chmod 4755 mine; ./mine -p -c id; echo x >> /etc/passwd; chroot / id"
        done = await box.exec(tries)
        assert "uid=0" not in done.out
        assert "root:x:0" in (await box.read("/etc/passwd")).decode()
        assert "\nx" not in (await box.read("/etc/passwd")).decode()
        root = await box.exec("mount -t tmpfs x /mnt || echo refused; cat /proc/self/status | grep CapEff", user="root")
        assert "refused" in root.out
        assert "CapEff:\t0000000000000000" in root.out


async def test_a_box_on_an_internal_network_is_reached_but_reaches_nothing(world: World, plain: Env) -> None:
    internal = plain.model_copy(update={"networks": Networks(attempting=Network(mode="internal"))})
    listener = await asyncio.start_server(lambda _, writer: writer.close(), "0.0.0.0", 0)
    port = listener.sockets[0].getsockname()[1]
    async with listener, world.open(internal) as box:
        await box.exec("echo served > page; python3 -m http.server 8000 >/dev/null 2>&1 &")
        assert b"served" in await _page(box.address, 8000)
        gateway = box.address.rsplit(".", 1)[0] + ".1"
        knock = f"python3 -c \"import socket; socket.create_connection(('{gateway}', {port}), 2)\""
        assert not (await box.exec(knock)).ok
        assert not (await box.exec("python3 -c \"import socket; socket.create_connection(('1.1.1.1', 53), 2)\"")).ok


async def test_an_allow_list_lets_listed_hosts_through_and_no_others(world: World, plain: Env) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\npackage")
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    listed = await asyncio.start_server(serve, "127.0.0.1", 0)
    other = await asyncio.start_server(serve, "127.0.0.1", 0)
    ports = [server.sockets[0].getsockname()[1] for server in (listed, other)]
    network = Network(mode="allow", hosts=(f"127.0.0.1:{ports[0]}",))
    async with listed, other, world.open(plain.model_copy(update={"networks": Networks(attempting=network)})) as box:
        get = (
            "python3 - <<'END'\nimport http.client, os\nfrom urllib.parse import urlsplit\n"
            "proxy = urlsplit(os.environ['http_proxy'])\n"
            "c = http.client.HTTPConnection(proxy.hostname, proxy.port, timeout=100)\n"
            "c.request('GET', 'http://127.0.0.1:{}/x')\nr = c.getresponse(); print(r.status, r.read().decode())\nEND"
        )
        assert (await box.exec(get.format(ports[0]))).out == "200 package\n"
        assert (await box.exec(get.format(ports[1]))).out.startswith("403")


async def test_sixteen_boxes_open_at_once(world: World, plain: Env) -> None:
    async def one(number: int) -> str:
        async with world.open(plain) as box:
            return (await box.exec(f"echo {number}")).out.strip()

    answers = await asyncio.gather(*(one(number) for number in range(16)))
    assert answers == [str(number) for number in range(16)]


async def _run_each(box: Sandbox, commands: list[str]) -> None:
    """Run the commands one after another, then fork the box."""
    for command in commands:
        await box.exec(command)
    async with box.fork():
        pass


async def _page(host: str, port: int) -> bytes:
    await wait_for(lambda: _answers(host, port))
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(b"GET /page HTTP/1.0\r\n\r\n")
    data = await reader.read()
    writer.close()
    await writer.wait_closed()
    return data


def _answers(host: str, port: int) -> bool:
    with suppress(OSError), socket.create_connection((host, port), 10):
        return True
    return False
