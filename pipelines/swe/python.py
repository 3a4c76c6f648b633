"""The rule-based recipe writer for Python: what the repository declares, installed into one virtual environment."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from crucible.datafile import whole
from crucible.errors import Rejected
from crucible.record import Record
from crucible.sandbox import Recipe

HERE = Path(__file__).parent

INSTALL = "/opt/venv/bin/pip install --quiet --no-cache-dir --disable-pip-version-check"


class PythonRules(Record):
    """`recipes/python.toml`."""

    packages: tuple[str, ...]
    dependencies: tuple[str, ...]
    requirements: tuple[str, ...]
    extras: tuple[str, ...]
    command: str
    environment: dict[str, str]


@cache
def rules() -> PythonRules:
    """The rules, read once."""
    return whole(HERE / "recipes/python.toml", PythonRules)


def decides(path: str) -> bool:
    """Whether the file decides what is installed; as in a git pathspec, `*` stops at a slash."""
    patterns = (pattern for pattern in rules().dependencies if pattern.count("/") == path.count("/"))
    return any(fnmatchcase(path, pattern) for pattern in patterns)


def recipe(files: Mapping[str, str], archive: str, workdir: str) -> Recipe:
    """The recipe for a tree: `files` are its dependency files by path, `archive` the blob of its tar."""
    project = _project(files.get("pyproject.toml", ""))
    return Recipe(
        packages=rules().packages,
        archives={workdir: archive},
        commands=(
            "python3 -m venv /opt/venv",
            f"{INSTALL} {shlex.join(_wanted(files, project))}",
            (HERE / "recipes/stage.sh").read_text(),
            *_own(files, project),
            (HERE / "recipes/seal.sh").read_text(),
        ),
        environment=rules().environment,
    )


def _wanted(files: Mapping[str, str], project: Mapping[str, Any]) -> list[str]:
    listed = [word for name in rules().requirements if name in files for word in ("-r", name)]
    groups = project.get("dependency-groups", {})
    grouped = [one for extra in rules().extras for one in groups.get(extra, ()) if isinstance(one, str)]
    return ["pytest", *grouped, *listed]


def _own(files: Mapping[str, str], project: Mapping[str, Any]) -> list[str]:
    """The repository's own package, if it is one."""
    if not ({"project", "build-system"} & project.keys() or "setup.py" in files):
        return []
    declared = project.get("project", {}).get("optional-dependencies", {})
    extras = ",".join(extra for extra in rules().extras if extra in declared)
    target = f".[{extras}]" if extras else "."
    return [f"SETUPTOOLS_SCM_PRETEND_VERSION=0.0.1 {INSTALL} --editable {shlex.quote(target)}"]


def _project(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as broken:
        raise Rejected("recipe_failed", f"pyproject.toml: {broken}") from broken
