"""The oracle plays the task's reference, and nop does nothing: the two ends of every task."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager

from agents.speech import Call, Turn
from agents.teachers.played import Player, playing
from crucible.acting import Ask, TeacherRun
from crucible.model import Reference, Task
from crucible.parts import teacher
from crucible.record import digest

APPLY = "git -c safe.directory='*' apply --whitespace=nowarn {file}"
SCRIPT = "if command -v bash >/dev/null; then bash {file}; else sh {file}; fi"
SECONDS = 900.0
"""A reference may take longer than a command usually does."""


@teacher("oracle")
def oracle(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
    """Plays the task's reference solution through the scaffold's tools."""
    return playing(lambda task, _: list(_solution(task.reference)), settings)


@teacher("nop")
def nop(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
    """Submits at once."""
    return playing(_nothing, settings)


def _nothing(_task: Task, _ask: Ask) -> list[Turn]:
    return []


def _solution(reference: Reference) -> Iterator[Turn]:
    if reference.patch:
        yield from _by_file("patch", reference.patch.rstrip("\n") + "\n", APPLY)
    for path, content in reference.files.items():
        yield Turn(text=f"I write {path}.", calls=(Call(tool="write", arguments={"path": path, "content": content}),))
    if reference.script:
        yield from _by_file("script", reference.script, SCRIPT)
    yield Turn(text="The work is done.", calls=(_submit(reference.answer),))


def _by_file(kind: str, content: str, command: str) -> Iterator[Turn]:
    """Put the content in a file outside the workdir, use it, and take it away again."""
    file = f"/tmp/{digest(content)[:16]}.{kind}"
    use = f"{command.format(file=file)}; code=$?; rm -f {file}; exit $code"
    yield Turn(
        text=f"I put the {kind} in a file.", calls=(Call(tool="write", arguments={"path": file, "content": content}),)
    )
    yield Turn(text=f"I use the {kind}.", calls=(Call(tool="shell", arguments={"command": use, "timeout": SECONDS}),))


def _submit(answer: str) -> Call:
    return Call(tool="submit", arguments={"answer": answer} if answer else {})
