"""Which files decide how tests run, and which settings within files: rows of `protected.toml`.

Pure, and Python's library is enough: it travels with exported tasks.
"""

from __future__ import annotations

import configparser
import json
import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from crucible.datafile import rows, words
from crucible.record import Record

HERE = Path(__file__).parent


class Protected(Record):
    """A row of `protected.toml`: files by pattern."""

    why: str
    patterns: tuple[str, ...]
    spares_code: bool = False
    """Not where a package keeps its own code."""
    spares_own: bool = False
    """Not where the base has such a module itself: then the repository is part of a test runner, and this its code."""


class Settings(Record):
    """A row of `protected.toml`: settings within a file."""

    file: str
    keys: tuple[tuple[str, ...], ...]


@cache
def _protected() -> tuple[Protected, ...]:
    return rows(HERE / "protected.toml", "protected", Protected)


@cache
def _patterns(*, of_code: bool, of_own: bool | None = None) -> tuple[str, ...]:
    kept = (row for row in _protected() if not (of_code and row.spares_code) and of_own in (None, row.spares_own))
    return tuple(plain for row in kept for pattern in row.patterns for plain in _spread(pattern))


def is_code(path: str) -> bool:
    """Whether a package keeps its own code there, whatever the folders are called."""
    return any(fnmatchcase(path, plain) for one in words(HERE / "protected.toml", "code") for plain in _spread(one))


def _spread(pattern: str) -> list[str]:
    """The patterns that one with braces stands for."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if not braces:
        return [pattern]
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return [plain for word in braces[1].split(",") for plain in _spread(f"{before}{word}{after}")]


def is_protected(path: str) -> bool:
    """Whether the whole file belongs to the test run."""
    return any(_matches(path, pattern) for pattern in _patterns(of_code=is_code(path)))


def stands_in(path: str) -> str:
    """The module as part of which alone a file belongs to the test run, or the file itself; empty for any other. Where
    the base has that module, the file is the repository's own."""
    code = is_code(path)
    if any(_matches(path, pattern) for pattern in _patterns(of_code=code, of_own=False)):
        return ""
    own = [pattern for pattern in _patterns(of_code=code, of_own=True) if _matches(path, pattern)]
    above = [str(folder) for folder in PurePosixPath(path).parents if f"{folder.name}/" in own]
    return above[0] if above else path if own else ""


def _matches(path: str, pattern: str) -> bool:
    """`folder/` also matches a file or link of that name, which would take the folder's place; `a/b` is found anywhere
    in the path."""
    pure = PurePosixPath(path)
    if "/" in pattern[:-1]:
        return f"/{pattern}" in f"/{path}"
    if pattern.endswith("/"):
        return any(fnmatchcase(part, pattern[:-1]) for part in pure.parts)
    return fnmatchcase(pure.name, pattern)


def has_settings(path: str) -> bool:
    """Whether some of what the file says belongs to the test run."""
    return bool(_keys(path))


def settings_differ(path: str, now: str, base: str) -> bool:
    """Whether the file says something else of the test run; one that can no longer be read does."""
    name = PurePosixPath(path).name
    try:
        return _chosen(name, now, _keys(path)) != _chosen(name, base, _keys(path))
    except (ImportError, ValueError, RecursionError, configparser.Error):
        return now != base


def _keys(path: str) -> list[tuple[str, ...]]:
    name = PurePosixPath(path).name
    return [key for row in rows(HERE / "protected.toml", "settings", Settings) if row.file == name for key in row.keys]


def _chosen(name: str, text: str, keys: Sequence[Sequence[str]]) -> list[Any]:
    return [_at(_parsed(name, text), key) for key in keys]


def _parsed(name: str, text: str) -> Mapping[str, Any]:
    if name.endswith(".toml"):
        import tomllib  # an exported task may be graded by an interpreter that has none

        return tomllib.loads(text)
    if name.endswith(".json"):
        return _object(json.loads(text or "{}"))
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return {section: dict(parser[section]) for section in parser.sections()}


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError("settings are no object")
    return value


def _at(settings: Mapping[str, Any], key: Sequence[str]) -> Any:
    found: Any = settings
    for part in key:
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
