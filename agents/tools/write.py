"""The tool that makes or replaces a file."""

from __future__ import annotations

from crucible.parts import tool
from crucible.record import Record
from crucible.tooling import BoxPath, ToolContext


class WriteArguments(Record):
    """A file to make or replace."""

    path: BoxPath
    content: str


@tool("write")
async def write(context: ToolContext, arguments: WriteArguments) -> str:
    """Make or replace a file, with its directories. A file that exists keeps its mode and its owner."""
    data = arguments.content.encode()
    await context.write(arguments.path, data)
    return f"wrote {len(data)} bytes to {arguments.path}"
