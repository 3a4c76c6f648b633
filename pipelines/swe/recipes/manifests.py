"""What a dependency file says of dependencies: a new version of the package itself is no reason for another image."""

from __future__ import annotations

import configparser
import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from crucible.datafile import rows, words
from crucible.record import Record
from pipelines.swe.recipes.tree import ini

HERE = Path(__file__).parent

READERS: Mapping[str, Callable[[str], Any]] = {".toml": tomllib.loads, ".json": json.loads, ".cfg": ini, ".ini": ini}


class Manifest(Record):
    """One row of `manifests.toml`."""

    files: tuple[str, ...]
    silent: tuple[str, ...] = ()
    working: str = ""
    lines: str = ""
    idle: str = ""


@cache
def _manifests() -> tuple[Manifest, ...]:
    return tuple(map(_completed, rows(HERE / "manifests.toml", "manifests", Manifest)))


def _completed(known: Manifest) -> Manifest:
    """With the packages that tests do not need among what is silent."""
    idle = words(HERE / "javascript.toml", "idle") if known.working else ()
    return known.model_copy(update={"silent": (*known.silent, *(f"{known.working}.{name}" for name in idle))})


def declared(path: str, text: str) -> str:
    """What decides what is installed. Where that is not known, and where a file cannot be read, the whole text does."""
    name = posixpath.basename(path)
    known = next((one for one in _manifests() if any(fnmatchcase(name, file) for file in one.files)), None)
    if known is None:
        return text
    if known.silent:
        read = _read(name, text)
        return text if read is None else json.dumps(_spoken(read, known.silent, ""), sort_keys=True, default=str)
    return "\n".join(line for line in text.splitlines() if _speaks(line, known))


def _speaks(line: str, known: Manifest) -> bool:
    return bool(re.search(known.lines, line)) and not (known.idle and re.search(known.idle, line))


def _read(name: str, text: str) -> dict[str, Any] | None:
    try:
        found = READERS[posixpath.splitext(name)[1]](text)
    except (ValueError, RecursionError, configparser.Error):
        return None
    return found if isinstance(found, dict) else None


def _spoken(table: Mapping[str, Any], silent: tuple[str, ...], above: str) -> dict[str, object]:
    """A table without what says nothing, and without what is empty then."""
    named = {key: (f"{above}{key}", value) for key, value in table.items()}
    heard = {key: pair for key, pair in named.items() if not any(fnmatchcase(pair[0], one) for one in silent)}
    found = {
        key: _spoken(value, silent, f"{name}.") if isinstance(value, dict) else value
        for key, (name, value) in heard.items()
    }
    return {key: value for key, value in found.items() if value != {}}
