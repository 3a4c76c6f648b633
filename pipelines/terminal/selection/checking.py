"""Whether commands can be run in a box: no network, screen or root, nothing that destroys it, and a result that does
not depend on the moment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from crucible.datafile import read_row, read_rows
from crucible.errors import Rejected
from crucible.record import Record
from pipelines.terminal.commands.shell import Script, is_known, packages_by_command, read_script, traits_by_command

TABLE = Path(__file__).with_name("selection.toml")


PROGRAM_PATH = re.compile(r"[\"']?(?:\.{1,2}/|[$/~]|.*\.(?:sh|py|pl|awk)[\"']?$|.*\bbin/)")
# matches: ./run   /opt/tool   scripts/run.sh; not .config/app.menu


class Limits(Record):
    """What a thread's sizes and votes must be."""

    least_score: int
    least_answer_score: int
    longest_body: int
    most_commands: int
    least_prose: int
    most_questions: int
    most_asked: int
    duplicate_similarity: float


class CommandRule(Record):
    """A drop by what a block of commands says."""

    reason: str
    text: tuple[str, ...]


def check_commands(text: str, any_size: bool = False) -> tuple[str, ...]:
    """The packages that a block's commands need; Rejected when it cannot be run in a box. `any_size`: however many
    commands it has."""
    script = read_script(text)
    if script.broken:
        raise Rejected("not_shell", text[:200])
    for reason, sign in _command_faults(script):
        if reason == "too_many_commands" and any_size:
            continue
        raise Rejected(reason, f"{sign}: {text[:200]}")
    names = {call.name for call in script.calls}
    return tuple(sorted({package for name in names if (package := packages_by_command().get(name, "base")) != "base"}))


def _command_faults(script: Script) -> Iterator[tuple[str, str]]:
    for rule in read_rows(TABLE, "commands", CommandRule):
        for pattern in rule.text:
            if match := re.search(pattern, script.text, re.MULTILINE):
                yield rule.reason, match[0]
    for call in script.calls:
        if call.name in traits_by_command():
            yield traits_by_command()[call.name], call.name
        elif not is_known(call.name) and call.name not in script.functions and not _is_path(call.name, script):
            yield "unknown_command", call.name
    if len(script.calls) > limits().most_commands:
        yield "too_many_commands", str(len(script.calls))
    if not script.calls:
        yield "no_commands", "nothing is called"


def _is_path(name: str, script: Script) -> bool:
    """Whether a command is called by its path, or by a variable that the script itself gives a value."""
    variable = name.strip('"').removeprefix("$").strip("{}")
    is_program = bool(PROGRAM_PATH.match(name)) or name in script.text.replace(name, "", 1)
    return ("/" in name and is_program) or (variable != name and variable in script.assigned)


@cache
def limits() -> Limits:
    return read_row(TABLE, "limits", Limits)
