"""The tables beside this module, read once and checked against their records."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from crucible.errors import SettingsError
from crucible.record import Record

R = TypeVar("R", bound=Record)

HERE = Path(__file__).parent


@cache
def _raw(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


def rows(name: str, key: str, record: type[R]) -> tuple[R, ...]:
    """The rows of one array of tables. SettingsError names the file when a row does not fit."""
    try:
        return tuple(record.model_validate(row) for row in _raw(name)[key])
    except (ValidationError, KeyError) as wrong:
        raise SettingsError(f"{name}: {wrong}") from wrong


def row(name: str, key: str, record: type[R]) -> R:
    """One table."""
    try:
        return record.model_validate(_raw(name)[key])
    except (ValidationError, KeyError) as wrong:
        raise SettingsError(f"{name}: {wrong}") from wrong


def prose(name: str) -> str:
    """A text file beside this module."""
    return (HERE / name).read_text(encoding="utf-8")
