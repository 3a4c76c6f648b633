"""The tool that shows a text file, or some of its lines."""

from __future__ import annotations

from pydantic import Field

from agents.text import clip
from crucible.parts import tool
from crucible.record import Record
from crucible.tooling import OBSERVATION_CHARACTERS, BoxPath, ToolContext, ToolFault


class ReadArguments(Record):
    """A file, or some lines of it."""

    path: BoxPath
    first: int | None = Field(default=None, ge=1)
    last: int | None = Field(default=None, ge=1)


@tool("read")
async def read(context: ToolContext, arguments: ReadArguments) -> str:
    """The lines of a text file that the call asks for, numbered."""
    data = await context.read(arguments.path)
    if b"\0" in data[:8192]:
        raise ToolFault(f"{arguments.path} is a binary file of {len(data)} bytes")
    lines = data.decode("utf-8", "replace").split("\n")
    if lines[-1] == "":
        lines.pop()
    return _number_lines(arguments, lines)


def _number_lines(call: ReadArguments, lines: list[str]) -> str:
    """The lines that the call asks for, each after its number."""
    if not lines:
        return f"{call.path} is empty"
    first, last = call.first or 1, min(call.last or len(lines), len(lines))
    if first > last:
        raise ToolFault(f"{call.path} has {len(lines)} lines; there is nothing from {first} to {call.last or last}")
    numbered = "\n".join(f"{number:6}\t{lines[number - 1]}" for number in range(first, last + 1))
    return clip(numbered, OBSERVATION_CHARACTERS)
