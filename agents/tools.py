"""What an agent can do in its box: shell, read, write, edit. (`submit` is the loop's own business.)

Everything is done by commands that run as the box's user, so that a tool can reach no more than the
shell can: `box.read` and `box.write` go through the engine, which may touch any file. Only a file that
the user has been seen to be able to read is fetched through the engine, to get its exact bytes.
"""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Callable
from dataclasses import dataclass

from agents.arguments import Arguments, Edit, Read, Shell, Write
from agents.text import clean, clip
from crucible.sandbox import Done, Sandbox

OBSERVATION_LIMIT = 24_000
"""Characters of one observation."""
FILE_LIMIT = 1 << 22
"""Bytes of a file that read and edit take on."""

LOCATE = """p={path}
[ -d "$p" ] && exit 21; [ -e "$p" ] || exit 22; [ -f "$p" ] || exit 23; [ -r "$p" ] || exit 24
readlink -f -- "$p"
"""
FAULTS = {
    21: "is a directory",
    22: "does not exist",
    23: "is not a regular file",
    24: "cannot be read by this user",
}


class ToolFault(Exception):
    """The call made sense and could not be done; the message is the observation."""


@dataclass(frozen=True)
class Bench:
    """Where the tools work: the box, how results are shown, and how long is left."""

    box: Sandbox
    show: str
    seconds: float
    """Default limit of one command."""
    left: Callable[[], float]

    async def run(self, command: str, *, timeout: float | None = None, stdin: bytes = b"") -> Done:
        """A command, never for longer than is left of the attempt."""
        limit = max(0.1, min(timeout or self.seconds, self.left()))
        return await self.box.exec(command, timeout=limit, stdin=stdin)


async def use(bench: Bench, arguments: Arguments) -> str:
    """Do what the arguments say; the observation."""
    try:
        match arguments:
            case Shell():
                text = await shell(bench, arguments)
            case Read():
                text = await read(bench, arguments)
            case Write():
                text = await write(bench, arguments)
            case Edit():
                text = await edit(bench, arguments)
            case _:
                text = "Submitted."
    except ToolFault as fault:
        text = f"error: {fault}"
    return clip(clean(text), OBSERVATION_LIMIT + 1000)


async def shell(bench: Bench, call: Shell) -> str:
    """Run a command; its streams, and how it ended."""
    done = await bench.run(call.command, timeout=call.timeout)
    output = clip(_streams(done) + _ending(done), OBSERVATION_LIMIT)
    return bench.show.format(code=done.code, output=output, seconds=f"{done.seconds:.1f}")


async def read(bench: Bench, call: Read) -> str:
    """A file's lines, numbered."""
    data = await _bytes(bench, call.path)
    if b"\0" in data[:8192]:
        raise ToolFault(f"{call.path} is a binary file of {len(data)} bytes")
    lines = data.decode("utf-8", "replace").split("\n")
    if lines[-1] == "":
        lines.pop()
    return _numbered(call, lines)


async def write(bench: Bench, call: Write) -> str:
    """Make or replace a file, with its directories. A file that exists keeps its mode and its owner."""
    data = call.content.encode()
    await _put(bench, call.path, data)
    return f"wrote {len(data)} bytes to {call.path}"


async def edit(bench: Bench, call: Edit) -> str:
    """Replace the one place where `old` occurs. Bytes that are no UTF-8 stay as they are."""
    text = (await _bytes(bench, call.path)).decode("utf-8", "surrogateescape")
    places = _places(text, call.old)
    if call.old == call.new:
        raise ToolFault("the old and the new text are the same")
    if not places:
        raise ToolFault(f"the old text does not occur in {call.path}{_nearest(text, call.old)}")
    if len(places) > 1:
        lines = ", ".join(str(line) for line in places[:10])
        raise ToolFault(f"the old text occurs {len(places)} times in {call.path}, at lines {lines}: include more of it")
    await _put(bench, call.path, text.replace(call.old, call.new).encode("utf-8", "surrogateescape"))
    return f"replaced the text at line {places[0]} of {call.path}"


def _streams(done: Done) -> str:
    """Both streams as a terminal would show them, one after the other."""
    gap = "\n" if done.out and done.err and not done.out.endswith("\n") else ""
    return (done.out + gap + done.err).rstrip("\n")


def _ending(done: Done) -> str:
    endings = {
        "timeout": f"\n[stopped: it ran longer than its {done.seconds:.0f} seconds]",
        "output": "\n[stopped: it printed too much]",
        "killed": "\n[killed]",
    }
    drained = "\n[more was printed and not kept]" if done.truncated else ""
    return drained + endings.get(done.stopped, "")


def _numbered(call: Read, lines: list[str]) -> str:
    if not lines:
        return f"{call.path} is empty"
    first, last = call.first or 1, min(call.last or len(lines), len(lines))
    if first > last:
        raise ToolFault(f"{call.path} has {len(lines)} lines; there is nothing from {first} to {call.last or last}")
    shown = "\n".join(f"{number:6}\t{lines[number - 1]}" for number in range(first, last + 1))
    return clip(shown, OBSERVATION_LIMIT)


async def _bytes(bench: Bench, path: str) -> bytes:
    """A file's bytes, if the box's user may read them."""
    found = await bench.run(LOCATE.format(path=_word(path)))
    if not found.ok:
        raise ToolFault(f"{path} {FAULTS.get(found.code, _why(found))}")
    try:
        return await bench.box.read(found.out.rstrip("\n"), limit=FILE_LIMIT)
    except ValueError:
        raise ToolFault(f"{path} is larger than {FILE_LIMIT} bytes; look at parts of it with a command") from None
    except (FileNotFoundError, IsADirectoryError):
        raise ToolFault(f"{path} is not a regular file") from None


async def _put(bench: Bench, path: str, data: bytes) -> None:
    command = f'p={_word(path)}; mkdir -p -- "$(dirname -- "$p")" && cat > "$p"'
    done = await bench.run(command, stdin=data)
    if not done.ok:
        raise ToolFault(f"{path} was not written: {_why(done)}")


def _word(path: str) -> str:
    """The path as one word of the shell; one that begins with a dash is no option."""
    return shlex.quote(f"./{path}" if path.startswith("-") else path)


def _why(done: Done) -> str:
    return done.err.strip() or done.stopped or f"exit code {done.code}"


def _places(text: str, old: str) -> list[int]:
    """The line numbers where `old` begins."""
    places, at = [], text.find(old)
    while at >= 0:
        places.append(text.count("\n", 0, at) + 1)
        at = text.find(old, at + len(old))
    return places


def _nearest(text: str, old: str) -> str:
    """A hint at what was meant: the line most like the first one of `old`."""
    want = next((line for line in old.split("\n") if line.strip()), "")
    lines = text.split("\n")[:20_000]
    near = difflib.get_close_matches(want, lines, n=1, cutoff=0.6)
    if not near:
        return ""
    return f"; the nearest line is {lines.index(near[0]) + 1}: {near[0].strip()!r}: white space must match exactly"
