"""Which files decide how tests run, and which settings within files: the rules of `protected.toml`.

Pure, and Python's standard library is enough: exported Harbor folders ship this module (`exporters/harbor/grader.py`).
"""

from __future__ import annotations

import configparser
import json
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from crucible.domains.code.path_patterns import expand_braces, is_package_code, shared_patterns
from crucible.domains.code.tables import read_table, read_words

TABLE = Path(__file__).with_name("protected.toml")


@dataclass(frozen=True)
class ProtectedRow:
    """A row of `[[protected]]`: files by pattern."""

    why: str
    patterns: Sequence[str] = ()
    shared: Sequence[str] = ()
    """Names of lists of `crucible/domains/code/path_patterns.toml`, which pipelines read too."""
    spares_code: bool = False
    """Not where a package keeps its own code."""
    spares_own: bool = False
    """Not where the base has such a module itself: then the repository is part of a test runner, and this its code."""


@dataclass(frozen=True)
class SettingsRow:
    """A row of `[[settings]]`: settings within a file that is otherwise the attempt's own."""

    file: str
    keys: Sequence[Sequence[str]]


def is_protected(path: str) -> bool:
    """Whether the whole file belongs to the test run."""
    return any(_matches(path, pattern) for pattern in _patterns(of_code=is_package_code(path)))


def stand_in_module(path: str) -> str:
    """The module that would stand in for a part of the test runner: a folder above the file, or the file itself. Where
    the base has that module, the file is the repository's own. Empty for a file that no such rule is about, or that is
    protected anyway."""
    code = is_package_code(path)
    if any(_matches(path, pattern) for pattern in _patterns(of_code=code, of_own=False)):
        return ""
    own = [pattern for pattern in _patterns(of_code=code, of_own=True) if _matches(path, pattern)]
    above = [str(folder) for folder in PurePosixPath(path).parents if f"{folder.name}/" in own]
    return above[0] if above else path if own else ""


def test_folder(path: str) -> str:
    """The folder below another one by whose name alone the file is one of the tests. Where the base has no such folder,
    it may be called so for another reason (`src/spec/escape.js`). Empty for any other file."""
    parts = path.split("/")
    tests = [pattern for pattern in shared_patterns("tests") if pattern.endswith("/")]
    named = [place for place, part in enumerate(parts[:-1]) if any(_matches(part, pattern) for pattern in tests)]
    others = "/".join("_" if place in named else part for place, part in enumerate(parts))
    return "/".join(parts[: named[0] + 1]) if named and named[0] and not is_protected(others) else ""


def shadowed_module(path: str, installed: Collection[str] = ()) -> str:
    """The module of Python's own library, or of these installed ones, that an import would find at this path instead;
    empty where it would find no other. A folder counts by the file that makes it a package."""
    for root in read_words(TABLE, "import_roots"):
        name, _, inner = path.removeprefix(root).partition("/")
        module, _, suffix = name.partition(".")
        loads = inner.startswith("__init__.") if inner else suffix.rpartition(".")[2] in ("", "py", "pyc", "so", "pyd")
        if path.startswith(root) and loads and (module in sys.stdlib_module_names or module in installed):
            return module
    return ""


def has_settings(path: str) -> bool:
    """Whether some of what the file says belongs to the test run."""
    return bool(setting_keys(path))


def settings_differ(path: str, now: str, base: str) -> bool:
    """Whether the file says something else of the test run than its base; one that can no longer be read does."""
    name = PurePosixPath(path).name
    try:
        return _select(name, now, setting_keys(path)) != _select(name, base, setting_keys(path))
    except (ImportError, ValueError, RecursionError, configparser.Error):
        return now != base


@cache
def _patterns(*, of_code: bool, of_own: bool | None = None) -> tuple[str, ...]:
    """Patterns of protected files: without the rows that spare code, or only those with this `spares_own`."""
    rows = [ProtectedRow(**row) for row in read_table(TABLE)["protected"]]
    kept = [row for row in rows if not (of_code and row.spares_code) and of_own in (None, row.spares_own)]
    shared = [plain for row in kept for name in row.shared for plain in shared_patterns(name)]
    return (*shared, *(plain for row in kept for pattern in row.patterns for plain in expand_braces(pattern)))


def _matches(path: str, pattern: str) -> bool:
    """`folder/` also matches a file or link of that name, which would take the folder's place; `a/b` is found anywhere
    in the path."""
    pure = PurePosixPath(path)
    if "/" in pattern[:-1]:
        return f"/{pattern}" in f"/{path}"
    if pattern.endswith("/"):
        return any(fnmatchcase(part, pattern[:-1]) for part in pure.parts)
    return fnmatchcase(pure.name, pattern)


@cache
def _settings_rows() -> tuple[SettingsRow, ...]:
    return tuple(SettingsRow(**row) for row in read_table(TABLE)["settings"])


def setting_keys(path: str) -> list[Sequence[str]]:
    """The settings of the test run in this file, each by the keys that lead to it."""
    name = PurePosixPath(path).name
    return [key for row in _settings_rows() if row.file == name for key in row.keys]


def _select(name: str, text: str, keys: Sequence[Sequence[str]]) -> list[Any]:
    """The values of these settings, None for those that are not there."""
    return [_value_at(parse_settings(name, text), key) for key in keys]


def parse_settings(name: str, text: str) -> Mapping[str, Any]:
    """The settings in a file of this name; ValueError, or an error of `configparser`, where they cannot be read."""
    if name.endswith(".toml"):
        import tomllib  # an exported task may be graded by an interpreter that has none

        return tomllib.loads(text)
    if name.endswith(".json"):
        settings = json.loads(text or "{}")
        if not isinstance(settings, Mapping):
            raise ValueError("settings are no object")
        return settings
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return {section: dict(parser[section]) for section in parser.sections()}


def _value_at(settings: Mapping[str, Any], key: Sequence[str]) -> Any:
    value: Any = settings
    for part in key:
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
