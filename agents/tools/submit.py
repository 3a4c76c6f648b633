"""The tool that hands in the work and ends the attempt."""

from __future__ import annotations

from crucible.parts import tool
from crucible.record import Record
from crucible.tooling import Shown, ToolContext


class SubmitArguments(Record):
    """The end of the attempt."""

    answer: str = ""


@tool("submit")
async def submit(context: ToolContext, arguments: SubmitArguments) -> Shown:
    """Hand in the work, with an answer where the task asks for one."""
    return Shown("Submitted.", answer=arguments.answer)
