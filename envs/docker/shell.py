"""A plain `sh` that stays in the box and runs one command after another.

Starting a process through the engine costs tens of milliseconds; asking a shell that is already there
costs two. Nothing but `sh` and `timeout` is needed in the image. Each command is fenced by marks with a
fresh random word on both streams, so output that an earlier command's background process still writes
is told apart, and binary output needs no quoting.
"""

from __future__ import annotations

import asyncio
import secrets
import shlex
import socket
import time

from crucible.sandbox import Done

FLOOD_FACTOR = 64
"""A command that writes more than so many times what is kept of a stream is stopped."""
GRACE_SECONDS = 20.0
"""Seconds past its limit after which a command is given up, whatever `timeout` in the box does."""
LONGEST_COMMAND = 100_000
"""Bytes that one command may have; the kernel takes 128 KiB in one argument."""


class ShellGone(Exception):
    """The shell's stream ended: its process died, or the engine did."""


class OutputFlood(Exception):
    """The command wrote far more than is kept; its argument is what was kept."""


class CommandStream:
    """One stream of one command: what stands between its two marks, with the middle left out if long."""

    def __init__(self, word: bytes, keep: int) -> None:
        self._begin, self._end = b"\n+" + word + b"\n", b"\n-" + word + b" "
        self._keep = keep
        self._begun = False
        self._pending = bytearray()
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0
        self.code: int | None = None

    def feed(self, data: bytes) -> None:
        """Take in more of the stream; `code` is set once the closing mark has arrived."""
        self._pending += data
        if not self._begun and not self._find_begin():
            return
        end = self._pending.find(self._end)
        if end >= 0 and b"\n" in self._pending[end + len(self._end) :]:
            self._store(bytes(self._pending[:end]))
            number = self._pending[end + len(self._end) :].split(b"\n", 1)[0]
            self.code = int(number) if number.isdigit() else 255
        elif end < 0 and len(self._pending) > len(self._end):
            cut = len(self._pending) - len(self._end)
            self._store(bytes(self._pending[:cut]))
            del self._pending[:cut]

    def _find_begin(self) -> bool:
        """Drop what stands before the opening mark; whether the mark is there."""
        at = self._pending.find(self._begin)
        if at < 0:
            del self._pending[: -len(self._begin)]
            return False
        del self._pending[: at + len(self._begin)]
        self._begun = True
        return True

    def _store(self, data: bytes) -> None:
        """Keep output: the first half of what is kept, and a tail that is cut as it grows."""
        self.total += len(data)
        room = self._keep // 2 - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > self._keep:
            del self._tail[: -(self._keep // 2)]

    @property
    def truncated(self) -> bool:
        return self.total > self._keep

    def text(self) -> str:
        """What was kept, as text; bytes that are no UTF-8 are replaced."""
        if not self.truncated:
            return (self._head + self._tail).decode(errors="replace")
        half = self._keep // 2
        left_out = self.total - len(self._head) - half
        middle = f"\n[... {left_out} bytes left out ...]\n".encode()
        return (self._head + middle + self._tail[-half:]).decode(errors="replace")


class Shell:
    """The host's end of the shell: write a command, read until both closing marks are there."""

    def __init__(self, handle: object, connection: socket.socket) -> None:
        self._handle = handle  # the SDK closes the connection when its response object goes
        self._connection = connection
        self._frames = bytearray()
        self._lock = asyncio.Lock()
        self.commands = 0
        """How many are under way or wait for their turn."""
        connection.setblocking(False)

    async def run(self, command: str, limit: float, keep: int) -> Done:
        """Run one command. ShellGone, OutputFlood or TimeoutError when the box needs more than patience."""
        self.commands += 1
        try:
            async with self._lock:
                return await self._run(command, limit, keep)
        except TimeoutError:
            raise
        except OSError as gone:
            raise ShellGone(str(gone)) from gone
        finally:
            self.commands -= 1

    async def _run(self, command: str, limit: float, keep: int) -> Done:
        started = time.monotonic()
        word = secrets.token_hex(8).encode()
        streams = {1: CommandStream(word, keep), 2: CommandStream(word, keep)}
        async with asyncio.timeout(limit + GRACE_SECONDS):
            await self._send(_fence_command(command, limit, word.decode()))
            await self._receive(streams, keep * FLOOD_FACTOR)
        return _to_done(streams, time.monotonic() - started, limit)

    async def _send(self, text: str) -> None:
        await asyncio.get_running_loop().sock_sendall(self._connection, text.encode(errors="surrogatepass"))

    async def _receive(self, streams: dict[int, CommandStream], flood: int) -> None:
        loop = asyncio.get_running_loop()
        while any(stream.code is None for stream in streams.values()):
            data = await loop.sock_recv(self._connection, 1 << 16)
            if not data:
                raise ShellGone("the shell's stream ended")
            self._split(data, streams)
            if sum(stream.total for stream in streams.values()) > flood:
                raise OutputFlood(streams[1].text())

    def _split(self, data: bytes, streams: dict[int, CommandStream]) -> None:
        """Undo the engine's framing: one byte of stream number, three of nothing, four of length."""
        self._frames += data
        while len(self._frames) >= 8:
            size = int.from_bytes(self._frames[4:8], "big")
            if len(self._frames) < 8 + size:
                return
            streams[2 if self._frames[0] == 2 else 1].feed(bytes(self._frames[8 : 8 + size]))
            del self._frames[: 8 + size]

    def close(self) -> None:
        self._connection.close()
        close = getattr(self._handle, "close", None)
        if close is not None:
            close()


def _fence_command(command: str, limit: float, word: str) -> str:
    """One line of shell: opening marks, the command under its time limit, closing marks with its code."""
    marks = f"printf '\\n+{word}\\n'; printf '\\n+{word}\\n' >&2"
    run = f"timeout -k 1 {limit:.3f} ${{sh:=$(command -v bash || echo sh)}} -c {shlex.quote(command)} </dev/null"
    end = f"c=$?; printf '\\n-{word} %d\\n' $c; printf '\\n-{word} %d\\n' $c >&2"
    return f"{marks}; {run}; {end}\n"


def _to_done(streams: dict[int, CommandStream], seconds: float, limit: float) -> Done:
    """The result of a command, from its two streams."""
    out, err = streams[1], streams[2]
    code = out.code if out.code is not None else 255
    timed_out = code in (124, 137) and seconds >= limit
    return Done(
        code=code,
        out=out.text(),
        err=err.text(),
        truncated=out.truncated or err.truncated,
        seconds=round(seconds, 4),
        stopped="timeout" if timed_out else "",
    )
