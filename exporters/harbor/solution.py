"""The reference as a script."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from posixpath import join, relpath
from string import Template

from crucible.errors import Rejected
from crucible.exporting import File
from crucible.model import Task

TEMPLATE = Path(__file__).with_name("solve.sh")


def solution_files(task: Task) -> Iterator[File]:
    """`solve.sh`, and beside it whatever of patch, files and script the reference has."""
    reference = task.reference
    if not (reference.patch or reference.files or reference.script):
        raise Rejected("no_solution_to_play", "Harbor's solution is a script; the reference is only an answer")
    script = Template(TEMPLATE.read_text("utf-8")).substitute(workdir=shlex.quote(task.env.workdir))
    yield File("solution/solve.sh", script.encode(), executable=True)
    if reference.patch:
        yield File("solution/reference.patch", reference.patch.encode())
    if reference.script:
        yield File("solution/reference.sh", reference.script.encode(), executable=True)
    for path, content in sorted(reference.files.items()):
        place = relpath(join(task.env.workdir, path), task.env.workdir)
        if place.startswith("../"):
            raise Rejected("no_harbor_word", f"the reference writes {path}, which is not below the workdir")
        yield File(f"solution/files/{place}", content.encode())
