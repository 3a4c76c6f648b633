"""Players whose work is certainly bad: outputs that are there and empty, and good work that is damaged."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from agents.teachers.oracle import reference_turns
from agents.teachers.player import Player, open_player
from agents.translation import Call, Turn
from crucible.acting import TeacherRun
from crucible.model import Reference, Task
from crucible.parts import teacher

NAME_OF_ANY = "output"
"""What stands for `*` in the name of an output that is made up."""
EMPTY = 'mkdir -p "$(dirname {path})" && : > {path}'
OFFICE_DAMAGE = Path(__file__).with_name("office_damage.py")
"""The program that damages an office document so that it still opens: one that does not says nothing of its content."""
DAMAGE = """
damage_office() {{
    case "$1" in *.xlsx | *.xlsm | *.docx | *.pptx) python3 -c {office} "$1" 2>/dev/null ;; *) false ;; esac
}}
damage() {{
    mkdir -p "$(dirname "$1")"
    if damage_office "$1"; then return; fi
    size=$(wc -c < "$1" 2>/dev/null || echo 0)
    if [ "$size" -gt 1 ]; then head -c $((size / 2)) "$1" > /tmp/.half && cat /tmp/.half > "$1" && rm -f /tmp/.half
    else printf 'damaged\\000\\377' > "$1"; fi
}}
for file in {paths}; do damage "$file"; done
{{ git diff --name-only --diff-filter=AM; git ls-files --others --exclude-standard; }} 2>/dev/null |
while IFS= read -r file; do damage "$file"; done
true
"""


@teacher("empty", authored=True)
def empty(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
    """Makes every output the task names, with nothing in it."""
    return open_player(lambda task, _: list(_empty_turns(task)), settings)


@teacher("damaged", authored=True)
def damaged(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
    """Cuts every file of the authored good attempt in half, or the content of an office document; without such an
    attempt, the outputs it makes hold a few odd bytes."""
    return open_player(lambda task, _: list(_damaged_turns(task)), settings, plays_reference=True)


def _empty_turns(task: Task) -> Iterator[Turn]:
    if paths := _output_paths(task):
        yield _run("; ".join(EMPTY.format(path=shlex.quote(path)) for path in paths))


def _damaged_turns(task: Task) -> Iterator[Turn]:
    *work, _submit = reference_turns(task.reference)
    paths = [*_output_paths(task), *task.reference.files, *task.reference.blobs]
    if paths or task.reference != Reference():
        yield from work
        office = shlex.quote(OFFICE_DAMAGE.read_text(encoding="utf-8"))
        yield _run(DAMAGE.format(paths=shlex.join(dict.fromkeys(paths)), office=office))


def _output_paths(task: Task) -> list[str]:
    """The outputs by name; one of each pattern."""
    return [path.replace("**", "*").replace("*", NAME_OF_ANY) for path in task.env.outputs]


def _run(command: str) -> Turn:
    return Turn(calls=(Call(tool="shell", arguments={"command": command}),))
