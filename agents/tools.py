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

OBSERVATION_CHARACTERS = 24_000
"""Characters that one observation may have."""
FILE_BYTES = 1 << 22
"""Bytes that a file may have which an agent reads or edits."""

LOCATE_SCRIPT = """p={path}
[ -d "$p" ] && exit 21; [ -e "$p" ] || exit 22; [ -f "$p" ] || exit 23; [ -r "$p" ] || exit 24
readlink -f -- "$p"
"""
LOCATE_FAULTS = {  # by the exit code of LOCATE_SCRIPT
    21: "is a directory",
    22: "does not exist",
    23: "is not a regular file",
    24: "cannot be read by this user",
}


class ToolFault(Exception):
    """The call made sense and could not be done; the message is the observation."""


@dataclass(frozen=True)
class ToolContext:
    """What the tools need to work: the box, how results are shown, and how long is left."""

    box: Sandbox
    observation_format: str
    """How a command's result is shown, with `{code}`, `{output}` and `{seconds}`."""
    command_seconds: float
    """The time limit of a command that names none."""
    seconds_left: Callable[[], float]
    """Seconds until the attempt's time is up."""

    async def run(self, command: str, *, timeout: float | None = None, stdin: bytes = b"") -> Done:
        """Run a command in the box, never for longer than is left of the attempt."""
        limit = max(0.1, min(timeout or self.command_seconds, self.seconds_left()))
        return await self.box.exec(command, timeout=limit, stdin=stdin)


async def use_tool(context: ToolContext, arguments: Arguments) -> str:
    """Do what the arguments say; returns the observation, which for a fault begins with `error:`."""
    try:
        match arguments:
            case Shell():
                text = await run_command(context, arguments)
            case Read():
                text = await read_lines(context, arguments)
            case Write():
                text = await write_file(context, arguments)
            case Edit():
                text = await edit_file(context, arguments)
            case _:
                text = "Submitted."
    except ToolFault as fault:
        text = f"error: {fault}"
    return clip(clean(text), OBSERVATION_CHARACTERS + 1000)


async def run_command(context: ToolContext, call: Shell) -> str:
    """Run a command; returns its output and how it ended, in the scaffold's format."""
    done = await context.run(call.command, timeout=call.timeout)
    output = clip(_join_streams(done) + _describe_ending(done), OBSERVATION_CHARACTERS)
    return context.observation_format.format(code=done.code, output=output, seconds=f"{done.seconds:.1f}")


async def read_lines(context: ToolContext, call: Read) -> str:
    """The lines of a text file that the call asks for, numbered."""
    data = await _read_bytes(context, call.path)
    if b"\0" in data[:8192]:
        raise ToolFault(f"{call.path} is a binary file of {len(data)} bytes")
    lines = data.decode("utf-8", "replace").split("\n")
    if lines[-1] == "":
        lines.pop()
    return _number_lines(call, lines)


async def write_file(context: ToolContext, call: Write) -> str:
    """Make or replace a file, with its directories. A file that exists keeps its mode and its owner."""
    data = call.content.encode()
    await _write_bytes(context, call.path, data)
    return f"wrote {len(data)} bytes to {call.path}"


async def edit_file(context: ToolContext, call: Edit) -> str:
    """Replace the one place where `old` occurs. Bytes that are no UTF-8 stay as they are."""
    text = (await _read_bytes(context, call.path)).decode("utf-8", "surrogateescape")
    places = _matching_lines(text, call.old)
    if call.old == call.new:
        raise ToolFault("the old and the new text are the same")
    if not places:
        raise ToolFault(f"the old text does not occur in {call.path}{_nearest_line_hint(text, call.old)}")
    if len(places) > 1:
        lines = ", ".join(str(line) for line in places[:10])
        raise ToolFault(f"the old text occurs {len(places)} times in {call.path}, at lines {lines}: include more of it")
    await _write_bytes(context, call.path, text.replace(call.old, call.new).encode("utf-8", "surrogateescape"))
    return f"replaced the text at line {places[0]} of {call.path}"


def _join_streams(done: Done) -> str:
    """The output and then the errors of a command, as one text."""
    gap = "\n" if done.out and done.err and not done.out.endswith("\n") else ""
    return (done.out + gap + done.err).rstrip("\n")


def _describe_ending(done: Done) -> str:
    """What there is to add to the output of a command that was stopped or whose output was cut."""
    endings = {
        "timeout": f"\n[stopped: it ran longer than its {done.seconds:.0f} seconds]",
        "output": "\n[stopped: it printed too much]",
        "killed": "\n[killed]",
    }
    cut = "\n[more was printed and not kept]" if done.truncated else ""
    return cut + endings.get(done.stopped, "")


def _number_lines(call: Read, lines: list[str]) -> str:
    """The lines that the call asks for, each after its number."""
    if not lines:
        return f"{call.path} is empty"
    first, last = call.first or 1, min(call.last or len(lines), len(lines))
    if first > last:
        raise ToolFault(f"{call.path} has {len(lines)} lines; there is nothing from {first} to {call.last or last}")
    numbered = "\n".join(f"{number:6}\t{lines[number - 1]}" for number in range(first, last + 1))
    return clip(numbered, OBSERVATION_CHARACTERS)


async def _read_bytes(context: ToolContext, path: str) -> bytes:
    """A file's bytes, if the box's user may read them."""
    located = await context.run(LOCATE_SCRIPT.format(path=_quote_path(path)))
    if not located.ok:
        raise ToolFault(f"{path} {LOCATE_FAULTS.get(located.code, _failure_reason(located))}")
    try:
        return await context.box.read(located.out.rstrip("\n"), limit=FILE_BYTES)
    except ValueError:
        raise ToolFault(f"{path} is larger than {FILE_BYTES} bytes; look at parts of it with a command") from None
    except (FileNotFoundError, IsADirectoryError):
        raise ToolFault(f"{path} is not a regular file") from None


async def _write_bytes(context: ToolContext, path: str, data: bytes) -> None:
    """Write a file as the box's user, through a command's standard input."""
    command = f'p={_quote_path(path)}; mkdir -p -- "$(dirname -- "$p")" && cat > "$p"'
    done = await context.run(command, stdin=data)
    if not done.ok:
        raise ToolFault(f"{path} was not written: {_failure_reason(done)}")


def _quote_path(path: str) -> str:
    """The path as one word of the shell; one that begins with a dash is not taken for an option."""
    return shlex.quote(f"./{path}" if path.startswith("-") else path)


def _failure_reason(done: Done) -> str:
    return done.err.strip() or done.stopped or f"exit code {done.code}"


def _matching_lines(text: str, old: str) -> list[int]:
    """The line numbers where `old` begins."""
    line_numbers, at = [], text.find(old)
    while at >= 0:
        line_numbers.append(text.count("\n", 0, at) + 1)
        at = text.find(old, at + len(old))
    return line_numbers


def _nearest_line_hint(text: str, old: str) -> str:
    """A hint at what was meant: the line most like the first one of `old`."""
    first_line = next((line for line in old.split("\n") if line.strip()), "")
    lines = text.split("\n")[:20_000]
    near = difflib.get_close_matches(first_line, lines, n=1, cutoff=0.6)
    if not near:
        return ""
    return f"; the nearest line is {lines.index(near[0]) + 1}: {near[0].strip()!r}: white space must match exactly"
