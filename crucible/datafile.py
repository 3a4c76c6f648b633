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


def read_rows(file: Path, key: str, record: type[R]) -> tuple[R, ...]:
    """The rows of one array of tables."""
    return tuple(_validate(file, record, row) for row in _value_at(file, key))


def read_row(file: Path, key: str, record: type[R]) -> R:
    """One table."""
    return _validate(file, record, _value_at(file, key))


def read_words(file: Path, key: str) -> tuple[str, ...]:
    """One list of strings."""
    return tuple(str(word) for word in _value_at(file, key))


def read_file(file: Path, record: type[R]) -> R:
    """The file as one record."""
    return _validate(file, record, _load_toml(file))


@cache
def _load_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as broken:
        raise SettingsError(f"{file.name}: {broken}") from broken


def _value_at(file: Path, key: str) -> Any:
    try:
        return _load_toml(file)[key]
    except KeyError:
        raise SettingsError(f"{file.name} has no '{key}'") from None


def _validate(file: Path, record: type[R], value: Any) -> R:
    try:
        return record.model_validate(value)
    except ValidationError as wrong:
        raise SettingsError(f"{file.name}: {wrong}") from wrong
