"""Patterns of paths that tell tests from code: the lists of `path_patterns.toml`, and how a pattern is read.

Pure, and Python's library is enough: it can travel with exported tasks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase, translate
from functools import cache
from pathlib import Path

from crucible.domains.code.tables import read_words

TABLE = Path(__file__).with_name("path_patterns.toml")

BRACES = re.compile(r"\{([^{}]*)\}")  # matches: {js,ts}


@cache
def shared_patterns(name: str) -> tuple[str, ...]:
    """The list of that name in `path_patterns.toml` (`tests`, `runner_setup`, `package_code`), braces written out."""
    return tuple(plain for pattern in read_words(TABLE, name) for plain in expand_braces(pattern))


def expand_braces(pattern: str) -> list[str]:
    """The patterns without braces that one with braces stands for: `a.{js,ts}` is `a.js` and `a.ts`."""
    braces = BRACES.search(pattern)
    if not braces:
        return [pattern]
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return [plain for word in braces[1].split(",") for plain in expand_braces(f"{before}{word}{after}")]


def is_package_code(path: str) -> bool:
    """Whether a package keeps its own code there, whatever the folders are called: `lib/rack/test/jar.rb`."""
    return any(fnmatchcase(path, pattern) for pattern in shared_patterns("package_code"))


def path_expression(patterns: Iterable[str]) -> re.Pattern[str]:
    """One regular expression for all of these patterns, to be used with `match`: a history holds many paths, and each
    of them is held against every pattern. `folder/` is a folder anywhere in the path, `folder/*.x` is the whole path,
    any other pattern is the file's name."""
    plain = [plain for pattern in patterns for plain in expand_braces(pattern)]
    return re.compile("|".join(map(_expression, plain)), re.DOTALL)


def _expression(pattern: str) -> str:
    if pattern.endswith("/"):
        return rf"(?:.*/)?{re.escape(pattern[:-1])}/"
    if "/" in pattern:
        return translate(pattern)
    name = translate(pattern).replace(".*", "[^/]*")
    return rf"(?:.*/)?{name}"
