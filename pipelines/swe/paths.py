"""What sort of file a path is: test, source, documentation, lock file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import translate
from functools import cache, lru_cache
from pathlib import Path

from crucible.datafile import row, rows
from crucible.record import Record
from pipelines.swe.model import Sort

HERE = Path(__file__).parent

BRACES = re.compile(r"\{([^{}]*)\}")


class SortRule(Record):
    """One row of `paths.toml`."""

    sort: Sort
    patterns: tuple[str, ...]


class Names(Record):
    """A table of `paths.toml` that is no sort of its own."""

    patterns: tuple[str, ...]


@cache
def _rules() -> tuple[tuple[Sort, re.Pattern[str]], ...]:
    return tuple((rule.sort, _one(rule.patterns)) for rule in rows(HERE / "paths.toml", "sorts", SortRule))


@cache
def _changelogs() -> re.Pattern[str]:
    return _one(row(HERE / "paths.toml", "changelog", Names).patterns)


@lru_cache(maxsize=100_000)
def sort_of(path: str) -> Sort:
    """The first sort with a pattern that matches."""
    return next((sort for sort, pattern in _rules() if pattern.match(path)), "other")


def is_changelog(path: str) -> bool:
    """Whether the project tells its users there what changed."""
    return bool(_changelogs().match(path))


def _one(patterns: Sequence[str]) -> re.Pattern[str]:
    """All patterns as one: history holds many paths, and each is asked about every pattern."""
    return re.compile("|".join(_expression(plain) for pattern in patterns for plain in spread(pattern)), re.DOTALL)


def spread(pattern: str) -> list[str]:
    """The patterns that one with braces stands for."""
    found = BRACES.search(pattern)
    if not found:
        return [pattern]
    ways = [pattern[: found.start()] + way + pattern[found.end() :] for way in found[1].split(",")]
    return [plain for way in ways for plain in spread(way)]


def _expression(pattern: str) -> str:
    """`folder/` matches a folder anywhere in the path, `folder/*.x` the whole path, anything else the file's name."""
    if pattern.endswith("/"):
        return rf"(?:.*/)?{re.escape(pattern[:-1])}/"
    if "/" in pattern:
        return translate(pattern)
    inner = translate(pattern).replace(".*", "[^/]*")
    return rf"(?:.*/)?{inner}"
