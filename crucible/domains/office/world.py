"""The box that office work is done in: the suite and the Python libraries, one image for all tasks and the service."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from crucible.sandbox import Env, LaidFile, Limits, Recipe

PYTHON = "/opt/office-python/bin"
"""Where the Python with the office libraries lies; the system's own speaks to the suite."""


@cache
def office_recipe() -> Recipe:
    """The suite, and a Python with the office libraries."""
    facts = tomllib.loads(Path(__file__).with_name("recipe.toml").read_text(encoding="utf-8"))
    install = f"{PYTHON}/pip install --no-cache-dir {' '.join(facts['python'])}"
    return Recipe(
        base=facts["base"],
        packages=tuple(facts["packages"]),
        tools=(f"python3 -m venv {PYTHON.rpartition('/')[0]} && {install}",),
    )


def work_env(files: dict[str, str], outputs: tuple[str, ...]) -> Env:
    """Where an attempt works: files by path, given by their digests, and the files that it must leave."""
    path = f"{PYTHON}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return Env(
        recipe=office_recipe().model_copy(update={"environment": {"PATH": path}}),
        files={name: LaidFile(blob=digest) for name, digest in files.items()},
        limits=Limits(memory_mb=2048, pids=512),
        leaves="files",
        outputs=outputs,
    )


def python_command(program: str, told: Mapping[str, object]) -> str:
    """A shell line that runs a program with the office libraries; it reads what it is told as JSON, from its input."""
    return f"printf %s {shlex.quote(json.dumps(told))} | {PYTHON}/python -c {shlex.quote(program)}"
