"""Passes connections on from one address of this host to another, byte by byte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from crucible.errors import SandboxError
from envs.docker.streams import close_writer, copy_stream, open_server

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

    async with AsyncExitStack() as stack:
        try:
            own = await stack.enter_async_context(open_server(serve, address))
        except OSError as fault:
            raise SandboxError(f"cannot listen at {address}: {fault}; a proxy needs the engine on this host") from fault
        yield own
