"""The tool that replaces one piece of text in a file."""

from __future__ import annotations

import difflib

from pydantic import Field

from crucible.parts import tool
from crucible.record import Record
from crucible.tooling import BoxPath, ToolContext, ToolFault


class EditArguments(Record):
    """One replacement in a file."""

    path: BoxPath
    old: str = Field(min_length=1)
    new: str


@tool("edit")
async def edit(context: ToolContext, arguments: EditArguments) -> str:
    """Replace the one place where `old` occurs. Bytes that are no UTF-8 stay as they are."""
    path, old, new = arguments.path, arguments.old, arguments.new
    text = (await context.read(path)).decode("utf-8", "surrogateescape")
    places = _matching_lines(text, old)
    if old == new:
        raise ToolFault("the old and the new text are the same")
    if not places:
        raise ToolFault(f"the old text does not occur in {path}{_nearest_line_hint(text, old)}")
    if len(places) > 1:
        lines = ", ".join(str(line) for line in places[:10])
        raise ToolFault(f"the old text occurs {len(places)} times in {path}, at lines {lines}: include more of it")
    await context.write(path, text.replace(old, new).encode("utf-8", "surrogateescape"))
    return f"replaced the text at line {places[0]} of {path}"


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
