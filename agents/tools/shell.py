"""The tool that runs a command in the box."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from agents.text import clip
from crucible.parts import tool
from crucible.record import Record
from crucible.sandbox import Done
from crucible.tooling import OBSERVATION_CHARACTERS, ToolContext, check_no_nul

LONGEST_COMMAND = 100_000
"""Kernels refuse a single argument of 128 KiB; a longer command would look like a broken box."""


def _check_length(command: str) -> str:
    if len(command.encode()) > LONGEST_COMMAND:
        raise ValueError(f"is longer than {LONGEST_COMMAND} bytes; write a script to a file in pieces and run that")
    return command


Command = Annotated[str, Field(min_length=1), AfterValidator(check_no_nul), AfterValidator(_check_length)]


class ShellArguments(Record):
    """A command for the shell."""

    command: Command
    timeout: float | None = Field(default=None, gt=0)


@tool("shell")
async def shell(context: ToolContext, arguments: ShellArguments) -> str:
    """Run a command; returns its output and how it ended, in the scaffold's format."""
    done = await context.run(arguments.command, timeout=arguments.timeout)
    output = clip(_join_streams(done) + _describe_ending(done), OBSERVATION_CHARACTERS)
    return context.observation_format.format(code=done.code, output=output, seconds=f"{done.seconds:.1f}")


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
