"""The tables that lie beside a module as TOML files, read once and checked against their records."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from crucible.errors import SettingsError
from crucible.record import Record

R = TypeVar("R", bound=Record)


def rows(file: Path, key: str, record: type[R]) -> tuple[R, ...]:
    """The rows of one array of tables."""
    return tuple(_fitted(file, record, row) for row in _at(file, key))


def row(file: Path, key: str, record: type[R]) -> R:
    """One table."""
    return _fitted(file, record, _at(file, key))


def words(file: Path, key: str) -> tuple[str, ...]:
    """One list of strings."""
    return tuple(str(word) for word in _at(file, key))


def whole(file: Path, record: type[R]) -> R:
    """The file as one record."""
    return _fitted(file, record, _read(file))


@cache
def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as broken:
        raise SettingsError(f"{file.name}: {broken}") from broken


def _at(file: Path, key: str) -> Any:
    try:
        return _read(file)[key]
    except KeyError:
        raise SettingsError(f"{file.name} has no '{key}'") from None


def _fitted(file: Path, record: type[R], value: Any) -> R:
    try:
        return record.model_validate(value)
    except ValidationError as wrong:
        raise SettingsError(f"{file.name}: {wrong}") from wrong
