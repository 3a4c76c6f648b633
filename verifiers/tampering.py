"""Signs that a change reaches for the test run instead of the problem. Static, and only over what the change adds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath

from crucible.datafile import rows, words
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers import diffs
from verifiers.diffs import Added
from verifiers.protected import at_base, belong

HERE = Path(__file__).parent


class Sign(Record):
    """A row of `tampering.toml`."""

    pattern: str
    why: str
    added_files: bool = True
    only: tuple[str, ...] = ("*",)
    """Names of the files it is looked for in: what gives one language away is ordinary in another."""
    never: tuple[str, ...] = ()


class Hit(Record):
    """One line that gives the change away."""

    line: Added
    why: str

    def __str__(self) -> str:
        return f"{self.line.path}:{self.line.number} reaches for {self.why}: {self.line.text.strip()[:160]}"


@cache
def _signs() -> tuple[Sign, ...]:
    return rows(HERE / "tampering.toml", "signs", Sign)


async def hits(box: Sandbox, diff: bytes) -> list[Hit]:
    """The lines that reach for the test run, in files that are not restored anyway."""
    suspect = [line for line in diffs.added(diff) if not _ignored(line.path) and _suspect(line.text)]
    restored = await belong(box, sorted({line.path for line in suspect}))
    lines = [line for line in suspect if line.path not in restored]
    return found(lines, await at_base(box, sorted({line.path for line in lines})))


def found(lines: list[Added], bases: Mapping[str, str | None]) -> list[Hit]:
    """The hits among these lines. `bases` are the files as they were; None for one that was not there."""
    return [
        Hit(line=line, why=sign.why)
        for line in lines
        for sign in _signs()
        if _applies(sign, line.path) and re.search(sign.pattern, line.text) and _counts(sign, bases.get(line.path))
    ]


def _applies(sign: Sign, path: str) -> bool:
    name = PurePosixPath(path).name
    return _one_of(name, sign.only) and not _one_of(name, sign.never)


def _one_of(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _counts(sign: Sign, base: str | None) -> bool:
    if base is None:
        return sign.added_files
    return not re.search(sign.pattern, base)


def _suspect(text: str) -> bool:
    return any(re.search(sign.pattern, text) for sign in _signs())


@lru_cache(maxsize=4096)
def _ignored(path: str) -> bool:
    return _one_of(PurePosixPath(path).name, words(HERE / "tampering.toml", "ignored"))
