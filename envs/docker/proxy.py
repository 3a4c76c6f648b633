"""An egress proxy with an allow-list, for boxes that may install packages and nothing else.

It listens where only its own box's network reaches it. Plain HTTP requests and CONNECT tunnels to listed
hosts pass; everything else gets 403. A list entry is a host name, `*.suffix`, or either with `:port`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from envs.docker.streams import close_writer, copy_stream, open_server

HEAD_BYTES = 1 << 16
"""Bytes that the head of a request may have; more is no request."""
USUAL_PORTS = (80, 443)
"""The ports that an entry without a port lets through."""


def is_allowed(hosts: Sequence[str], host: str, port: int) -> bool:
    """Whether the list lets this host and port through; an entry without a port allows the usual ones."""
    for entry in hosts:
        name, _, listed_port = entry.partition(":")
        matches = fnmatchcase(host.lower(), name.lower())
        if matches and (port == int(listed_port) if listed_port else port in USUAL_PORTS):
            return True
    return False


@asynccontextmanager
async def open_proxy(address: str, hosts: Sequence[str]) -> AsyncIterator[int]:
    """Serve a proxy with this allow-list at an address of this host; yields its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            await _serve_request(reader, writer, hosts)

    async with open_server(serve, address, HEAD_BYTES) as port:
        yield port


async def _serve_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, hosts: Sequence[str]) -> None:
    """Answer one connection: refuse it, or pass it on to a listed host and copy both ways until it ends."""
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 120)
    method, target, version = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
    url = urlsplit(f"//{target}" if method == "CONNECT" else target)
    host, port = url.hostname or "", url.port or (443 if url.scheme == "https" else 80)
    if not is_allowed(hosts, host, port):
        writer.write(f"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nX-Refused: {host}\r\n\r\n".encode("latin-1"))
        await writer.drain()
        return
    try:
        far_reader, far_writer = await asyncio.wait_for(asyncio.open_connection(host, port), 120)
    except (OSError, TimeoutError):
        writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        return
    try:
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            far_writer.write(_origin_form(method, url.path or "/", url.query, version, head))
        await asyncio.gather(copy_stream(reader, far_writer), copy_stream(far_reader, writer))
    finally:
        await close_writer(far_writer)


def _origin_form(method: str, path: str, query: str, version: str, head: bytes) -> bytes:
    """The request as its server expects it: a path instead of a URL, one request per connection."""
    line = f"{method} {path}{'?' + query if query else ''} {version}".encode("latin-1")
    fields = [field for field in head.split(b"\r\n")[1:] if field]
    kept = [field for field in fields if not field.lower().startswith((b"proxy-", b"connection:"))]
    return b"\r\n".join([line, *kept, b"Connection: close", b"", b""])
