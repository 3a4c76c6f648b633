"""The reference as a script."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from string import Template

from crucible.errors import Rejected
from crucible.exporting import File
from crucible.model import Task

SCRIPT = Path(__file__).with_name("solve.sh")


def files(task: Task) -> Iterator[File]:
    """`solve.sh`, and beside it whatever of patch, files and script the reference has."""
    known = task.reference
    if not (known.patch or known.files or known.script):
        raise Rejected("no_solution_to_play", "Harbor's solution is a script; the reference is only an answer")
    script = Template(SCRIPT.read_text("utf-8")).substitute(workdir=shlex.quote(task.env.workdir))
    yield File("solution/solve.sh", script.encode(), executable=True)
    if known.patch:
        yield File("solution/reference.patch", known.patch.encode())
    if known.script:
        yield File("solution/reference.sh", known.script.encode(), executable=True)
    for path, content in sorted(known.files.items()):
        yield File(f"solution/files/{path}", content.encode())
