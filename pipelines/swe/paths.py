"""What sort of file a path is: test, source, documentation, lock file."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path, PurePosixPath

from crucible.datafile import rows
from crucible.record import Record
from pipelines.swe.model import Sort

HERE = Path(__file__).parent


class SortRule(Record):
    """One row of `paths.toml`."""

    sort: Sort
    patterns: tuple[str, ...]


@cache
def _rules() -> tuple[SortRule, ...]:
    return rows(HERE / "paths.toml", "sorts", SortRule)


def sort_of(path: str) -> Sort:
    """The first sort with a pattern that matches."""
    for rule in _rules():
        if any(matches(path, pattern) for pattern in rule.patterns):
            return rule.sort
    return "other"


def matches(path: str, pattern: str) -> bool:
    """`folder/` matches a folder anywhere in the path, anything else the file's name."""
    pure = PurePosixPath(path)
    if pattern.endswith("/"):
        return pattern[:-1] in pure.parts[:-1]
    return fnmatchcase(pure.name, pattern)
