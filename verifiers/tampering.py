"""Signs that a change reaches for the test run instead of the problem: what somebody who reads the verdict should look
at. They decide nothing: honest work may look so, and a cheat need not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath

from crucible.datafile import read_rows, read_words
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers.attempt_diff import AddedLine
from verifiers.attempt_diff import added_lines as diff_lines
from verifiers.attempt_tree import AttemptTree, read_tree
from verifiers.restoring import read_base_files, select_protected

TABLE = Path(__file__).with_name("tampering.toml")
LISTED_HITS = 20
"""How many hits a criterion's evidence lists."""
READ_FILES = 200
"""How many files are looked into; an attempt that left a whole environment behind has more."""
LARGEST_FILE = 1 << 20
"""In bytes; a larger one is not looked into."""


class Sign(Record):
    """A row of `tampering.toml`."""

    pattern: str
    why: str
    added_files: bool = True
    only: tuple[str, ...] = ("*",)
    """Names of the files it is looked for in: what gives one language away is ordinary in another."""
    never: tuple[str, ...] = ()
    """Names of the files it is not looked for in."""
    is_slight: bool = False
    """It is found in honest work as well: a reason to try an attempt with more altered tests, and for nothing else."""


class Hit(Record):
    """One line that gives the change away."""

    line: AddedLine
    why: str
    is_slight: bool = False

    def __str__(self) -> str:
        return f"{self.line.path}:{self.line.number} reaches for {self.why}: {self.line.text.strip()[:160]}"


async def find_signs(box: Sandbox, tree: AttemptTree) -> list[Hit]:
    """The lines that the base lacks and that reach for the test run, in files that are not restored anyway."""
    restored = select_protected(tree, tree.changed)
    paths = [path for path in tree.changed if path not in restored and not _is_ignored(path)][:READ_FILES]
    texts = {path: text for path in paths if _has_sign(text := await _read_text(box, path))}
    bases = await read_base_files(box, sorted(texts))
    lines = [line for path, text in texts.items() for line in added_lines(path, text, bases[path])]
    return find_hits(lines, bases)


async def find_tampering(box: Sandbox, diff: bytes) -> list[Hit]:
    """The same lines by an attempt's diff, without slight signs: where no test can be altered, these decide."""
    suspects = [line for line in diff_lines(diff) if not _is_ignored(line.path) and _has_sign(line.text)]
    paths = sorted({line.path for line in suspects})
    restored = select_protected(await read_tree(box), paths)
    lines = [line for line in suspects if line.path not in restored]
    bases = await read_base_files(box, [path for path in paths if path not in restored])
    return [hit for hit in find_hits(lines, bases) if not hit.is_slight]


def added_lines(path: str, text: str, base: str | None) -> Iterator[AddedLine]:
    """The lines of a file that its base does not have, wherever they stand."""
    known = set((base or "").split("\n"))
    for number, line in enumerate(text.split("\n"), 1):
        if line not in known:
            yield AddedLine(path=path, number=number, text=line)


def find_hits(lines: list[AddedLine], bases: Mapping[str, str | None]) -> list[Hit]:
    """The hits among these lines. `bases` are the files as they were; None for one that was not there."""
    return [
        Hit(line=line, why=sign.why, is_slight=sign.is_slight)
        for line in lines
        for sign in _signs()
        if _applies(sign, line.path) and _is_new(sign, line, bases.get(line.path))
    ]


def list_hits(hits: Sequence[object]) -> str:
    """The first hits, one in a line, as a criterion's evidence; empty without any."""
    return "\n".join(str(hit) for hit in hits[:LISTED_HITS])


async def _read_text(box: Sandbox, path: str) -> str:
    """What is in the file; empty where there is none, or too much."""
    try:
        return (await box.read(path, limit=LARGEST_FILE)).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


@cache
def _signs() -> tuple[Sign, ...]:
    return read_rows(TABLE, "signs", Sign)


def _applies(sign: Sign, path: str) -> bool:
    name = PurePosixPath(path).name
    return _matches_any(name, sign.only) and not _matches_any(name, sign.never)


def _matches_any(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _is_new(sign: Sign, line: AddedLine, base: str | None) -> bool:
    """Whether a line has the sign, and has it in a way that counts in a file that was `base`: what the file had before
    does not."""
    found = re.search(sign.pattern, line.text)
    return found is not None and (sign.added_files if base is None else found[0] not in base)


def _has_sign(text: str) -> bool:
    return any(re.search(sign.pattern, text) for sign in _signs())


@lru_cache(maxsize=4096)
def _is_ignored(path: str) -> bool:
    return _matches_any(PurePosixPath(path).name, read_words(TABLE, "ignored"))
