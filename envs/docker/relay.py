"""Passes connections on from one address of this host to another, byte by byte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from crucible.errors import SandboxError
from envs.docker.proxy import close_writer, copy_stream

CONNECT_SECONDS = 60
"""How long the far side may take to accept a connection."""


@asynccontextmanager
async def open_relay(address: str, host: str, port: int) -> AsyncIterator[int]:
    """Listen at an address of this host and pass every connection on to host and port; yields the port listened at."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError):
            far_reader, far_writer = await asyncio.wait_for(asyncio.open_connection(host, port), CONNECT_SECONDS)
            try:
                await asyncio.gather(copy_stream(reader, far_writer), copy_stream(far_reader, writer))
            finally:
                await close_writer(far_writer)
        await close_writer(writer)

    try:
        server = await asyncio.start_server(serve, address, 0)
    except OSError as fault:
        raise SandboxError(f"cannot listen at {address}: {fault}; a proxy needs the engine on this host") from fault
    async with server:
        yield server.sockets[0].getsockname()[1]
