"""Files that decide how tests run: what an attempt did to them is undone before its tests run."""

from __future__ import annotations

import configparser
import json
import re
import secrets
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from crucible.datafile import rows, words
from crucible.errors import SandboxError
from crucible.inline import may_hold_tests, tests_of
from crucible.laying import lay_inline
from crucible.record import Record
from crucible.sandbox import Done, Sandbox

HERE = Path(__file__).parent

BASE = '"$(git rev-list --max-parents=0 HEAD)"'
"""The task's base is the first commit, whatever was committed on top of it."""

KEPT = "/tmp/.crucible-kept"

UNDO = """base={base}
for path in {paths}; do
  rm -rf -- "$path"
  git cat-file -e "$base:$path" 2>/dev/null && git checkout -q "$base" -- ":(literal)$path"
done
true"""


SHOW = """base={base}
for path in {paths}; do git show "$base:$path" 2>/dev/null; printf '{mark}%d\\n' $?; done"""
AT_ONCE = 100
"""Files that are asked for by one command."""


class Protected(Record):
    """A row of `protected.toml`: files by pattern."""

    why: str
    patterns: tuple[str, ...]
    spares_code: bool = False
    """Not where a package keeps its own code."""


class Settings(Record):
    """A row of `protected.toml`: settings within a file."""

    file: str
    keys: tuple[tuple[str, ...], ...]


@cache
def _protected() -> tuple[Protected, ...]:
    return rows(HERE / "protected.toml", "protected", Protected)


@cache
def _patterns(*, of_code: bool) -> tuple[str, ...]:
    kept = (row for row in _protected() if not (of_code and row.spares_code))
    return tuple(plain for row in kept for pattern in row.patterns for plain in _spread(pattern))


def is_code(path: str) -> bool:
    """Whether a package keeps its own code there, whatever the folders are called."""
    return any(fnmatchcase(path, plain) for one in words(HERE / "protected.toml", "code") for plain in _spread(one))


def _spread(pattern: str) -> list[str]:
    """The patterns that one with braces stands for."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if not braces:
        return [pattern]
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return [plain for word in braces[1].split(",") for plain in _spread(f"{before}{word}{after}")]


def is_protected(path: str) -> bool:
    """Whether the whole file belongs to the test run."""
    return any(_matches(path, pattern) for pattern in _patterns(of_code=is_code(path)))


def _matches(path: str, pattern: str) -> bool:
    """`folder/` also matches a file or link of that name, which would take the folder's place; `a/b` is found anywhere
    in the path."""
    pure = PurePosixPath(path)
    if "/" in pattern[:-1]:
        return f"/{pattern}" in f"/{path}"
    if pattern.endswith("/"):
        return any(fnmatchcase(part, pattern[:-1]) for part in pure.parts)
    return fnmatchcase(pure.name, pattern)


async def undo(box: Sandbox, paths: Iterable[str]) -> tuple[str, ...]:
    """Bring the protected files among these paths back to the base; returns which."""
    undone = [path for path in paths if is_protected(path) or await _runner_settings_differ(box, path)]
    if undone:
        await sure(box, UNDO.format(base=BASE, paths=shlex.join(undone)))
    return tuple(undone)


async def undo_inline(box: Sandbox, paths: Iterable[str]) -> None:
    """Bring the tests within these source files back to the base; the code around them stays."""
    for path in filter(may_hold_tests, paths):
        await box.exec(f"git show {BASE}:{shlex.quote(path)} >{KEPT} 2>/dev/null || : >{KEPT}")
        base = (await box.read(KEPT)).decode("utf-8", "surrogateescape")
        await lay_inline(box, {path: tests_of(base)})


async def sure(box: Sandbox, command: str) -> str:
    """Run a command that cannot fail unless the box is broken."""
    return must(await box.exec(command))


def must(done: Done) -> str:
    """What it printed, if all went well."""
    if not done.ok:
        raise SandboxError(f"the workspace could not be put in order: {done.err.strip()[-300:]}")
    return done.out


async def at_base(box: Sandbox, paths: Sequence[str]) -> dict[str, str | None]:
    """The files as the task has them; None for one that is not there."""
    return {path: text for some in _few(paths) for path, text in (await _shown(box, some)).items()}


def _few(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    return (paths[at : at + AT_ONCE] for at in range(0, len(paths), AT_ONCE))


async def _shown(box: Sandbox, paths: Sequence[str]) -> dict[str, str | None]:
    """By one command; where they are too long for one answer, by one each."""
    mark = secrets.token_hex(8)
    done = await box.exec(SHOW.format(base=BASE, paths=shlex.join(paths), mark=mark))
    if done.truncated and len(paths) > 1:
        return {path: text for one in paths for path, text in (await _shown(box, [one])).items()}
    found = re.findall(rf"(.*?){mark}(\d+)\n", done.out, re.DOTALL)
    if len(found) != len(paths):
        raise SandboxError(f"the base could not be read: {done.err.strip()[-300:]}")
    return {path: text if code == "0" else None for path, (text, code) in zip(paths, found, strict=True)}


async def _runner_settings_differ(box: Sandbox, path: str) -> bool:
    name = PurePosixPath(path).name
    keys = [key for row in rows(HERE / "protected.toml", "settings", Settings) if row.file == name for key in row.keys]
    if not keys:
        return False
    try:
        now = (await box.read(path)).decode()
        return _chosen(name, now, keys) != _chosen(name, (await at_base(box, [path]))[path] or "", keys)
    except (
        OSError,
        ValueError,
        RecursionError,
        configparser.Error,
    ):  # deleted, replaced by a folder, or no longer readable
        return True


def _chosen(name: str, text: str, keys: Sequence[Sequence[str]]) -> list[Any]:
    return [_at(_parsed(name, text), key) for key in keys]


def _parsed(name: str, text: str) -> Mapping[str, Any]:
    if name.endswith(".toml"):
        return tomllib.loads(text)
    if name.endswith(".json"):
        return _object(json.loads(text or "{}"))
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return {section: dict(parser[section]) for section in parser.sections()}


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError("settings are no object")
    return value


def _at(settings: Mapping[str, Any], key: Sequence[str]) -> Any:
    found: Any = settings
    for part in key:
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
