"""The oracle plays the task's reference solution and must pass; nop does nothing and must fail."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager

from agents.teachers.player import Player, open_player
from agents.translation import Call, Turn
from crucible.acting import TeacherRun, reference_file
from crucible.model import Reference
from crucible.parts import teacher
from crucible.record import Json, digest

COPY_COMMAND = 'mkdir -p "$(dirname {path})" && cp {file} {path}'
APPLY_COMMAND = "git -c safe.directory='*' apply --whitespace=nowarn {file}"
SCRIPT_COMMAND = "if command -v bash >/dev/null; then bash {file}; else sh {file}; fi"
REFERENCE_SECONDS = 900.0
"""The time limit of a reference's command, which may take longer than a command usually does."""


@teacher("oracle", authored=True)
def oracle(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
    """Plays the task's reference solution through the scaffold's tools."""
    return open_player(lambda task, _: list(reference_turns(task.reference)), settings, plays_reference=True)


@teacher("nop", authored=True)
def nop(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
    """Submits at once."""
    return open_player(lambda _task, _ask: [], settings)


def reference_turns(reference: Reference) -> Iterator[Turn]:
    """The turns that apply the patch, put the files in place, run the script and submit, as far as there are any."""
    if reference.patch:
        yield from _file_turns("patch", reference.patch.rstrip("\n") + "\n", APPLY_COMMAND)
    for path, content in reference.files.items():
        yield Turn(text=f"I write {path}.", calls=(Call(tool="write", arguments={"path": path, "content": content}),))
    for path, blob in reference.blobs.items():
        command = COPY_COMMAND.format(file=reference_file(blob), path=shlex.quote(path))
        yield Turn(text=f"I put {path} in place.", calls=(Call(tool="shell", arguments={"command": command}),))
    if reference.script:
        yield from _file_turns("script", reference.script, SCRIPT_COMMAND)
    answer: dict[str, Json] = {"answer": reference.answer} if reference.answer else {}
    yield Turn(text="The work is done.", calls=(Call(tool="submit", arguments=answer),))


def _file_turns(kind: str, content: str, command: str) -> Iterator[Turn]:
    """The turns that put the content in a file outside the workdir, run the command on it and remove it again."""
    file = f"/tmp/{digest(content)[:16]}.{kind}"
    use = f"{command.format(file=file)}; code=$?; rm -f {file}; exit $code"
    yield Turn(
        text=f"I put the {kind} in a file.", calls=(Call(tool="write", arguments={"path": file, "content": content}),)
    )
    yield Turn(
        text=f"I use the {kind}.", calls=(Call(tool="shell", arguments={"command": use, "timeout": REFERENCE_SECONDS}),)
    )
