"""What a recipe writer sees of a repository: the paths at one commit, and the text of the few files it asks for."""

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

    @classmethod
    def of(cls, files: Mapping[str, str]) -> Tree:
        """A tree that is at hand."""
        return cls(tuple(files), files.__getitem__)

    @cached_property
    def suffixes(self) -> frozenset[str]:
        return frozenset(PurePosixPath(path).suffix for path in self.paths)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.paths)

    def has(self, *paths: str) -> bool:
        """Whether one of these is there."""
        return any(path in self._known for path in paths)

    def text(self, path: str) -> str:
        """A file's text, empty when it is not there."""
        return self.read(path) if path in self._known else ""

    def matching(self, *patterns: str) -> list[str]:
        """Paths that match; as in a git pathspec, `*` stops at a slash and `**/` is any folder, or none."""
        return [path for path in self.paths if any(fits(path, pattern) for pattern in patterns)]

    def toml(self, path: str) -> dict[str, Any]:
        """A TOML file. One that is broken says nothing: whoever installs from it will say why it fails."""
        try:
            return tomllib.loads(self.text(path))
        except tomllib.TOMLDecodeError:
            return {}

    def json(self, path: str) -> dict[str, Any]:
        """A JSON file that holds an object; one that is broken says nothing."""
        try:
            value = json.loads(self.text(path) or "{}")
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def ini(self, path: str) -> dict[str, dict[str, str]]:
        """A file of sections; one that is broken says nothing."""
        try:
            return ini(self.text(path))
        except configparser.Error:
            return {}


def tree_at(repo: Path, commit: str) -> Tree:
    """The files of a commit. A symbolic link is left out: it is no manifest of this repository."""
    files = {entry.path: entry for entry in trees.entries(repo, commit)}

    def read(path: str) -> str:
        return "".join(data.decode(errors="replace") for _, data in trees.read_contents(repo, [files[path]]))

    return Tree(tuple(path for path, entry in files.items() if entry.mode != trees.LINK), read)


def ini(text: str) -> dict[str, dict[str, str]]:
    """Sections and what they say, as it is written."""
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(text)
    return {name: dict(parser[name]) for name in parser.sections()}


def fits(path: str, pattern: str) -> bool:
    """Whether a git pathspec (with `glob`) matches."""
    return _fits(path.split("/"), pattern.split("/"))


def _fits(parts: list[str], patterns: list[str]) -> bool:
    if not patterns or not parts:
        return not patterns and not parts
    if patterns[0] == "**":
        return _fits(parts, patterns[1:]) or _fits(parts[1:], patterns)
    return fnmatchcase(parts[0], patterns[0]) and _fits(parts[1:], patterns[1:])


def table(value: object, *keys: str) -> dict[str, Any]:
    """The table below these keys; empty where a file says something else than it should."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def words(value: object) -> list[str]:
    """The strings of a list; empty where it is none."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
