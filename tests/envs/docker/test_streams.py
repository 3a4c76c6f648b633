"""Connections that are passed on: nobody who serves one is lost, and none outlives its server."""

from __future__ import annotations

import asyncio
import gc

import pytest

from envs.docker.proxy import open_proxy
from envs.docker.streams import close_writer


async def test_a_connection_whose_near_side_is_lost_waits_for_its_far_side_until_the_proxy_closes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reached, left = asyncio.Event(), asyncio.Event()

    async def stay_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.set()
        try:
            await reader.read()
            left.set()
            await asyncio.sleep(3600)
        finally:
            await close_writer(writer)

    far = await asyncio.start_server(stay_silent, "127.0.0.1", 0)
    port = far.sockets[0].getsockname()[1]
    async with asyncio.timeout(30):
        async with open_proxy("127.0.0.1", [f"127.0.0.1:{port}"]) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy)
            writer.write(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
            assert b"200" in await reader.readuntil(b"\r\n\r\n")
            await reached.wait()
            writer.transport.abort()
            await left.wait()  # the end is passed on; the far side says nothing
            gc.collect()
            serving = [task for task in asyncio.all_tasks() if "serve_to_end" in str(task.get_coro())]
            assert len(serving) == 1
        assert serving[0].done()
    far.close()
    silent = [task for task in asyncio.all_tasks() if "stay_silent" in str(task.get_coro())]
    for task in silent:
        task.cancel()
    await asyncio.gather(*silent, return_exceptions=True)
    assert "destroyed" not in caplog.text
