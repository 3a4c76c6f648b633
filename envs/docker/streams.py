"""Connections that this host accepts and passes on: who serves them is held on to, and cut when the server closes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

CHUNK_BYTES = 1 << 16
CLOSE_SECONDS = 3.0
"""How long what was written may take to leave before the connection is cut."""

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def open_server(serve: Serve, address: str, limit: int = CHUNK_BYTES) -> AsyncIterator[int]:
    """Serve each connection to an address of this host until the block ends; yields the port.

    Streams forget the task that serves a connection once its near side is lost, and nothing else holds on to one that
    waits for the far side alone: it would be destroyed by the garbage collector while it waits.
    """
    serving: set[asyncio.Task[None]] = set()

    async def serve_to_end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        finally:
            await close_writer(writer)

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(serve_to_end(reader, writer))
        serving.add(task)
        task.add_done_callback(serving.discard)

    server = await asyncio.start_server(accept, address, 0, limit=limit)
    async with server:
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            for task in serving:
                task.cancel()
            await asyncio.gather(*serving, return_exceptions=True)


async def close_writer(writer: asyncio.StreamWriter) -> None:
    """Close a connection, however it ends."""
    writer.close()
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await writer.wait_closed()
    except (OSError, TimeoutError):
        writer.transport.abort()


async def copy_stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on what is read until it ends, and pass the end on too."""
    with suppress(OSError):
        while data := await reader.read(CHUNK_BYTES):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
