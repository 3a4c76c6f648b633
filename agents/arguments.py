"""What each tool takes. The scaffolds show these under other names; the tools only ever see these."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from crucible.record import Record

LONGEST_COMMAND = 100_000
"""Kernels refuse a single argument of 128 KiB; a longer command would look like a broken box."""


def _check_no_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("must not contain a NUL character")
    return text


def _check_command_length(command: str) -> str:
    if len(command.encode()) > LONGEST_COMMAND:
        raise ValueError(f"is longer than {LONGEST_COMMAND} bytes; write a script to a file in pieces and run that")
    return command


Path = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(_check_no_nul)]
Command = Annotated[str, Field(min_length=1), AfterValidator(_check_no_nul), AfterValidator(_check_command_length)]


class Shell(Record):
    """A command for the shell."""

    command: Command
    timeout: float | None = Field(default=None, gt=0)


class Read(Record):
    """A file, or some lines of it."""

    path: Path
    first: int | None = Field(default=None, ge=1)
    last: int | None = Field(default=None, ge=1)


class Write(Record):
    """A file to make or replace."""

    path: Path
    content: str


class Edit(Record):
    """One replacement in a file."""

    path: Path
    old: str = Field(min_length=1)
    new: str


class Submit(Record):
    """The end of the attempt."""

    answer: str = ""


Arguments = Shell | Read | Write | Edit | Submit

ARGUMENTS_BY_TOOL: dict[str, type[Arguments]] = {
    "shell": Shell,
    "read": Read,
    "write": Write,
    "edit": Edit,
    "submit": Submit,
}
"""The arguments that each tool takes, by the tool's own name."""
