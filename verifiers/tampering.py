"""Signs that a change reaches for the test run instead of the problem. Static, and only over what the change adds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath

from crucible.datafile import read_rows, read_words
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers.attempt_diff import AddedLine, added_lines
from verifiers.restoring import read_base_files, select_protected

TABLE = Path(__file__).with_name("tampering.toml")
LISTED_HITS = 20
"""How many hits a criterion's evidence lists."""


class Sign(Record):
    """A row of `tampering.toml`."""

    pattern: str
    why: str
    added_files: bool = True
    only: tuple[str, ...] = ("*",)
    """Names of the files it is looked for in: what gives one language away is ordinary in another."""
    never: tuple[str, ...] = ()
    """Names of the files it is not looked for in."""


class Hit(Record):
    """One line that gives the change away."""

    line: AddedLine
    why: str

    def __str__(self) -> str:
        return f"{self.line.path}:{self.line.number} reaches for {self.why}: {self.line.text.strip()[:160]}"


async def find_tampering(box: Sandbox, diff: bytes) -> list[Hit]:
    """The lines of an attempt's diff that reach for the test run, in files that are not restored anyway."""
    suspects = [line for line in added_lines(diff) if not _is_ignored(line.path) and _has_sign(line.text)]
    restored = await select_protected(box, sorted({line.path for line in suspects}))
    lines = [line for line in suspects if line.path not in restored]
    return find_hits(lines, await read_base_files(box, sorted({line.path for line in lines})))


def find_hits(lines: list[AddedLine], bases: Mapping[str, str | None]) -> list[Hit]:
    """The hits among these lines. `bases` are the files as they were; None for one that was not there."""
    return [
        Hit(line=line, why=sign.why)
        for line in lines
        for sign in _signs()
        if _applies(sign, line.path) and re.search(sign.pattern, line.text) and _is_new(sign, bases.get(line.path))
    ]


def list_hits(hits: Sequence[object]) -> str:
    """The first hits, one in a line, as a criterion's evidence; empty without any."""
    return "\n".join(str(hit) for hit in hits[:LISTED_HITS])


@cache
def _signs() -> tuple[Sign, ...]:
    return read_rows(TABLE, "signs", Sign)


def _applies(sign: Sign, path: str) -> bool:
    name = PurePosixPath(path).name
    return _matches_any(name, sign.only) and not _matches_any(name, sign.never)


def _matches_any(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _is_new(sign: Sign, base: str | None) -> bool:
    """Whether the sign counts in a file that was `base`: what the file had before does not."""
    return sign.added_files if base is None else not re.search(sign.pattern, base)


def _has_sign(text: str) -> bool:
    return any(re.search(sign.pattern, text) for sign in _signs())


@lru_cache(maxsize=4096)
def _is_ignored(path: str) -> bool:
    return _matches_any(PurePosixPath(path).name, read_words(TABLE, "ignored"))
