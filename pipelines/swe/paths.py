"""What sort of file a path is: test, source, documentation, lock file."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from crucible.datafile import read_row, read_rows
from crucible.domains.code.path_patterns import expand_braces, path_expression, shared_patterns
from crucible.record import Record
from pipelines.swe.model import Sort

TABLE = Path(__file__).with_name("paths.toml")


class SortRule(Record):
    """One row of `paths.toml`: the files of a sort."""

    sort: Sort
    patterns: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    """Names of lists of patterns that verifiers read too."""

    def all_patterns(self) -> list[str]:
        """Shared patterns and its own, braces written out."""
        shared = [pattern for name in self.shared for pattern in shared_patterns(name)]
        return shared + [plain for pattern in self.patterns for plain in expand_braces(pattern)]


class ChangelogNames(Record):
    """The table `changelog` of `paths.toml`."""

    patterns: tuple[str, ...]


@cache
def _sort_expressions() -> tuple[tuple[Sort, re.Pattern[str]], ...]:
    return tuple((rule.sort, path_expression(rule.all_patterns())) for rule in read_rows(TABLE, "sorts", SortRule))


@cache
def _changelog_expression() -> re.Pattern[str]:
    return path_expression(read_row(TABLE, "changelog", ChangelogNames).patterns)


@lru_cache(maxsize=100_000)
def sort_of(path: str) -> Sort:
    """The first sort with a pattern that matches the path; `other` when none does."""
    return next((sort for sort, expression in _sort_expressions() if expression.match(path)), "other")


def is_changelog(path: str) -> bool:
    """Whether the project tells its users in this file what changed."""
    return bool(_changelog_expression().match(path))


def patterns_of(sort: Sort) -> tuple[str, ...]:
    """Every pattern of a sort, braces written out: for verifiers, which read none."""
    sorts = read_rows(TABLE, "sorts", SortRule)
    return tuple(pattern for rule in sorts if rule.sort == sort for pattern in rule.all_patterns())
