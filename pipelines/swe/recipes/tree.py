"""A repository at one commit, as recipe writers see it: its paths, and the text of the few files they ask for."""

from __future__ import annotations

import configparser
import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from pipelines.swe.repository import trees


@dataclass(frozen=True)
class Tree:
    """The files of one commit."""

    paths: tuple[str, ...]
    read: Callable[[str], str]
    """From one of these paths to the file's text."""

    @classmethod
    def of_files(cls, files: Mapping[str, str]) -> Tree:
        """The tree that holds these files: texts by path."""
        return cls(tuple(files), files.__getitem__)

    @cached_property
    def suffixes(self) -> frozenset[str]:
        """The suffixes of all files, such as `.py`."""
        return frozenset(PurePosixPath(path).suffix for path in self.paths)

    @cached_property
    def _path_set(self) -> frozenset[str]:
        return frozenset(self.paths)

    def has(self, *paths: str) -> bool:
        """Whether at least one of these files is in the tree."""
        return any(path in self._path_set for path in paths)

    def text(self, path: str) -> str:
        """A file's text; empty when the tree does not have it."""
        return self.read(path) if path in self._path_set else ""

    def matching(self, *patterns: str) -> list[str]:
        """The paths that match one of these git pathspecs: `*` stops at a slash, `**/` is any folder, or none."""
        return [path for path in self.paths if any(matches_pathspec(path, pattern) for pattern in patterns)]

    def toml(self, path: str) -> dict[str, Any]:
        """The content of a TOML file. Empty for a broken one: whoever installs from it will say why it fails."""
        try:
            return tomllib.loads(self.text(path))
        except tomllib.TOMLDecodeError:
            return {}

    def json(self, path: str) -> dict[str, Any]:
        """The content of a JSON file that holds an object; empty for a broken one, and for one that holds no object."""
        try:
            value = json.loads(self.text(path) or "{}")
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def ini(self, path: str) -> dict[str, dict[str, str]]:
        """The sections of an INI file, each with its values by name; empty for a broken one."""
        try:
            return parse_ini(self.text(path))
        except configparser.Error:
            return {}


def tree_at(repo: Path, commit: str) -> Tree:
    """The files of a commit. A symbolic link is left out: it is no manifest of this repository."""
    files = {entry.path: entry for entry in trees.entries(repo, commit)}

    def read(path: str) -> str:
        return "".join(data.decode(errors="replace") for _, data in trees.read_contents(repo, [files[path]]))

    return Tree(tuple(path for path, entry in files.items() if entry.mode != trees.LINK), read)


def parse_ini(text: str) -> dict[str, dict[str, str]]:
    """The sections of an INI text, each with its values by name, nothing interpolated. Raises `configparser.Error`."""
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(text)
    return {name: dict(parser[name]) for name in parser.sections()}


def matches_pathspec(path: str, pattern: str) -> bool:
    """Whether a git pathspec (with its magic word `glob`) matches a path: `src/**/*.py` matches `src/a.py`."""
    return _match_parts(path.split("/"), pattern.split("/"))


def _match_parts(parts: list[str], patterns: list[str]) -> bool:
    if not patterns or not parts:
        return not patterns and not parts
    if patterns[0] == "**":
        return _match_parts(parts, patterns[1:]) or _match_parts(parts[1:], patterns)
    return fnmatchcase(parts[0], patterns[0]) and _match_parts(parts[1:], patterns[1:])


def table_at(value: object, *keys: str) -> dict[str, Any]:
    """The table below these keys in what was read from a file; empty where it is missing or no table."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def strings_in(value: object) -> list[str]:
    """The strings of a list; empty where the value is no list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
