"""What a dependency file says of dependencies: a new version of the package itself is no reason for another image."""

from __future__ import annotations

import configparser
import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from crucible.datafile import read_rows, read_words
from crucible.record import Record
from pipelines.swe.recipes.tree import parse_ini

HERE = Path(__file__).parent

PARSERS: Mapping[str, Callable[[str], Any]] = {
    ".toml": tomllib.loads,
    ".json": json.loads,
    ".cfg": parse_ini,
    ".ini": parse_ini,
}
"""By the suffix of a file that holds tables."""


class Manifest(Record):
    """One row of `manifests.toml`: what counts in the dependency files of these names."""

    files: tuple[str, ...]
    """Names of files, with wildcards."""
    silent: tuple[str, ...] = ()
    """Dotted names, with wildcards, of what says nothing about dependencies in a file of tables."""
    working: str = ""
    """The table of what is needed to work on the project; the packages in it that tests do not need are silent too."""
    lines: str = ""
    """A pattern: the lines of a text file that say something about dependencies."""
    idle: str = ""
    """A pattern: the lines of a text file that say nothing about dependencies."""


@cache
def _manifests() -> tuple[Manifest, ...]:
    return tuple(map(_with_idle_packages, read_rows(HERE / "manifests.toml", "manifests", Manifest)))


def _with_idle_packages(manifest: Manifest) -> Manifest:
    """The row with the packages that tests do not need among what is silent."""
    idle = read_words(HERE / "javascript.toml", "idle") if manifest.working else ()
    return manifest.model_copy(update={"silent": (*manifest.silent, *(f"{manifest.working}.{name}" for name in idle))})


def dependency_content(path: str, text: str) -> str:
    """The part of a dependency file that decides what is installed: where it is equal, an image can be shared. The
    whole text of a file that no row of `manifests.toml` names, and of one that cannot be read."""
    name = posixpath.basename(path)
    rows_for_file = (row for row in _manifests() if any(fnmatchcase(name, pattern) for pattern in row.files))
    manifest = next(rows_for_file, None)
    if manifest is None:
        return text
    if manifest.silent:
        content = _parse_tables(name, text)
        if content is None:
            return text
        return json.dumps(_without_silent(content, manifest.silent, ""), sort_keys=True, default=str)
    return "\n".join(line for line in text.splitlines() if _is_telling(line, manifest))


def _is_telling(line: str, manifest: Manifest) -> bool:
    """Whether a line of a text file says something about dependencies."""
    return bool(re.search(manifest.lines, line)) and not (manifest.idle and re.search(manifest.idle, line))


def _parse_tables(name: str, text: str) -> dict[str, Any] | None:
    """The content of a TOML, JSON or INI file; None when it is broken or no table."""
    try:
        content = PARSERS[posixpath.splitext(name)[1]](text)
    except (ValueError, RecursionError, configparser.Error):
        return None
    return content if isinstance(content, dict) else None


def _without_silent(table: Mapping[str, Any], silent: tuple[str, ...], prefix: str) -> dict[str, object]:
    """A table without the silent names, and without the tables that are empty then; `prefix` is the dotted name of the
    table itself, with its last dot."""
    telling: dict[str, object] = {}
    for key, value in table.items():
        if any(fnmatchcase(f"{prefix}{key}", pattern) for pattern in silent):
            continue
        content = _without_silent(value, silent, f"{prefix}{key}.") if isinstance(value, dict) else value
        if content != {}:
            telling[key] = content
    return telling
