"""A real HTTP server that speaks as much of the OpenAI protocol as the tests need, well or badly, as it is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Request:
    """What was asked."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Line:
    """The way back to whoever asked."""

    writer: asyncio.StreamWriter

    async def head(self, status: int = 200, **headers: str) -> None:
        kind = "text/event-stream" if status == 200 else "application/json"
        lines = [f"HTTP/1.1 {status} Said", f"Content-Type: {kind}", "Connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        await self.raw("\r\n".join([*lines, "", ""]))

    async def chunk(self, **chunk: Any) -> None:
        await self.raw(f"data: {json.dumps({'id': 'x', 'object': 'chat.completion.chunk', **chunk})}\n\n")

    async def delta(self, finish: str | None = None, more: dict[str, Any] | None = None, **delta: Any) -> None:
        await self.chunk(choices=[{"index": 0, "delta": delta, "finish_reason": finish, **(more or {})}])

    async def raw(self, text: str) -> None:
        self.writer.write(text.encode())
        await self.writer.drain()


Play = Callable[[Line, Request], Awaitable[None]]


@dataclass
class Endpoint:
    """Plays its plays, one for each request; the last one again and again."""

    plays: tuple[Play, ...]
    requests: list[Request] = field(default_factory=list)
    running: int = 0
    most: int = 0
    """The most requests there were at a time."""

    async def __aenter__(self) -> Endpoint:
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 24)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        await self.server.wait_closed()

    @property
    def url(self) -> str:
        host, port = self.server.sockets[0].getsockname()
        return f"http://{host}:{port}/v1"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            request = await _request(reader)
            self.requests.append(request)
            await self.plays[min(len(self.requests), len(self.plays)) - 1](Line(writer), request)
        except ConnectionError:
            pass  # the other side had enough, which is what some tests are about
        finally:
            self.running -= 1
            writer.close()


async def _request(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))))
    return Request(head[0].split()[1], headers, body)


USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def saying(text: str, *, usage: dict[str, Any] | None = USAGE, pause: float = 0.0) -> Play:
    """A plain good answer."""

    async def play(line: Line, _: Request) -> None:
        await line.head()
        await asyncio.sleep(pause)
        for word in text.split(" "):
            await line.delta(content=word + " ")
        await line.delta(finish="stop")
        if usage:
            await line.chunk(choices=[], usage=usage)
        await line.raw("data: [DONE]\n\n")

    return play


def refusing(status: int, message: str = "no", **headers: str) -> Play:
    """An error instead of an answer."""

    async def play(line: Line, _: Request) -> None:
        await line.head(status, **headers)
        await line.raw(json.dumps({"error": {"message": message}}))

    return play


def calling(name: str, *pieces: str, finish: str = "tool_calls") -> Play:
    """A tool call whose arguments come in pieces."""

    async def play(line: Line, _: Request) -> None:
        await line.head()
        await line.delta(tool_calls=[{"index": 0, "id": "c1", "type": "function", "function": {"name": name}}])
        for piece in pieces:
            await line.delta(tool_calls=[{"index": 0, "function": {"arguments": piece}}])
        await line.delta(finish=finish)
        await line.chunk(choices=[], usage=USAGE)
        await line.raw("data: [DONE]\n\n")

    return play
