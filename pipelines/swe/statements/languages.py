"""How the families of languages define names and assert: rows of `languages.toml`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path, PurePosixPath

from crucible.datafile import rows
from crucible.record import Record

HERE = Path(__file__).parent
SNAPSHOTS = {"tap-snapshots", "__snapshots__"}


class Language(Record):
    """One row of `languages.toml`."""

    name: str
    suffixes: tuple[str, ...]
    defines: tuple[str, ...]
    asserts: str
    private: str
    owner: str = ""
    """A line after which members follow, and whose they are."""

    def definition(self, line: str) -> re.Match[str] | None:
        """The name that a line defines for others to use."""
        found = next((match for pattern in _compiled(self.defines) if (match := pattern.fullmatch(line))), None)
        return None if found is None or re.fullmatch(self.private, found["name"]) else found

    def is_assertion(self, line: str) -> bool:
        return bool(_compiled((self.asserts,))[0].fullmatch(line))


@cache
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in patterns)


@cache
def _languages() -> dict[str, Language]:
    return {suffix: one for one in rows(HERE / "languages.toml", "languages", Language) for suffix in one.suffixes}


def language_of(path: str) -> Language | None:
    """The language that a file is written in, by its name. What a framework wrote down of an output is no code."""
    if SNAPSHOTS & set(PurePosixPath(path).parts):
        return None
    return _languages().get(PurePosixPath(path).suffix.lower())
