"""A block of code taken apart: commands somebody typed, what they printed, and what is the content of a file.

People paste all three the same way. A prompt tells commands from output; without one a block is shell when it follows
the grammar and calls commands that exist, and may have below it what it printed. Everything else is output or content,
and is not run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from pipelines.terminal.commands.shell import Script, is_known, read_script

PROMPT = re.compile(
    r"^\s{0,3}(?:\([\w.-]+\)\s*)?"
    r"(?:(?:\[?[\w.-]+@[\w.-]+[:\s]?[^$#%>]{0,60}\]?|bash-[\d.]+|sh-[\d.]+|~[\w/.-]*)?\s?(?P<mark>[$%#]))\s+(?P<command>\S.*)$"
)
# matches: $ ls -l   user@host:~/x$ ls   [root@box tmp]# ls   bash-4.2$ ls   # ls
CONTINUED = re.compile(r"^\s{0,3}>\s?(?P<rest>.*)$")  # matches: > done
PYTHON_PROMPT = re.compile(r"^\s*(?:>>>|In \[\d+\]:)")  # matches: >>> import os
ELLIPSIS = re.compile(r"^\s*(?:\.{3}|…|\[\.\.\.\])\s*$")  # matches: ...
SHEBANG = re.compile(r"^#!\s*(?P<interpreter>\S+)(?:\s+(?P<argument>\S+))?")  # matches: #!/usr/bin/env python3

TYPED = re.compile(r"\s-\w|[|>'\"$]")  # matches: ls -l, cut file | sort
ASSIGNS = re.compile(r"\w+=")  # matches: foo="Hello

LONGEST_COMMAND = 40
"""Lines that a command without a prompt may take before what it printed."""

Kind = Literal["command", "output", "content"]


class Piece(NamedTuple):
    """A part of a block of code."""

    kind: Kind
    text: str
    root: bool = False
    """Typed at a prompt of root."""


def read_code(text: str) -> list[Piece]:
    """The pieces of a block: commands with what they printed, a whole script, or something that is no shell."""
    lines = text.splitlines()
    if any(PYTHON_PROMPT.match(line) for line in lines):
        return [Piece("content", text)]
    if _has_prompts(lines):
        return list(_read_session(lines))
    if is_shell(text):
        return [Piece("command", text)]
    return _read_with_output(lines) or [Piece("content", text)]


def _read_with_output(lines: list[str]) -> list[Piece]:
    """A command without a prompt and what it printed below it; nothing where a block is something else: `id name age`
    is the head of a table. No line below it may be a command."""
    first = lines[0].strip().partition(" ")[0] if lines else ""
    if not is_known(first) and not ASSIGNS.match(first):
        return []
    for end in range(1, min(len(lines), LONGEST_COMMAND + 1)):
        command, output = "\n".join(lines[:end]).strip(), lines[end:]
        is_whole = not lines[end - 1].endswith("\\")
        if is_whole and _looks_typed(command) and not any(_looks_typed(line) for line in output):
            return list(_close([command], output, root=False))
    return []


def _looks_typed(text: str) -> bool:
    """Whether a text is a command with signs that only commands have, and no sentence that begins with such a word."""
    return bool(TYPED.search(text)) and is_shell(text)


def is_shell(text: str) -> bool:
    """Whether a block without prompts is a script for the shell."""
    shebang = SHEBANG.match(text)
    if shebang:
        program = (shebang["argument"] or shebang["interpreter"]).rpartition("/")[2]
        return program in ("sh", "bash", "dash", "zsh", "ksh")
    script = read_script(text)
    return not script.broken and bool(script.calls) and all(_is_plausible(call.name, script) for call in script.calls)


def _is_plausible(name: str, script: Script) -> bool:
    return is_known(name) or name in script.functions or name.startswith(("./", "/", "~/", "$", '"$'))


def _has_prompts(lines: list[str]) -> bool:
    """Whether lines begin with a prompt. A `#` alone is one only before a command, where no other line is a command."""
    matches = [match for line in lines if (match := PROMPT.match(line))]
    if any(match["mark"] != "#" or match.start("mark") > 3 for match in matches):
        return True
    if not matches or not all(is_shell(match["command"]) for match in matches):
        return False
    others = [line for line in lines if line.strip() and not PROMPT.match(line)]
    return not any(is_shell(line) for line in others)


def _read_session(lines: list[str]) -> Iterator[Piece]:
    """Commands at prompts, each with the lines that belong to it, and the output between them."""
    command: list[str] = []
    output: list[str] = []
    root = False
    for line in lines:
        prompt = PROMPT.match(line)
        if prompt and not (prompt["mark"] == "#" and command and not is_shell(prompt["command"])):
            yield from _close(command, output, root)
            command, output, root = [prompt["command"]], [], prompt["mark"] == "#"
        elif command and not output and _goes_on(command):
            continued = CONTINUED.match(line)
            command.append(continued["rest"] if continued else line)
        else:
            output.append(line)
    yield from _close(command, output, root)


def _goes_on(command: list[str]) -> bool:
    """Whether the command typed so far is not complete."""
    return command[-1].endswith("\\") or read_script("\n".join(command)).broken


def _close(command: list[str], output: list[str], root: bool) -> Iterator[Piece]:
    if command:
        yield Piece("command", "\n".join(command), root)
    if any(line.strip() for line in output):
        yield Piece("output", "\n".join(output).strip("\n"))
