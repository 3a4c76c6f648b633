"""The tables beside the verifiers, read once and checked against their records."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from crucible.record import Record

R = TypeVar("R", bound=Record)

HERE = Path(__file__).parent


@cache
def _raw(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


def rows(name: str, key: str, record: type[R]) -> tuple[R, ...]:
    """The rows of one array of tables."""
    return tuple(record.model_validate(row) for row in _raw(name)[key])


def words(name: str, key: str) -> tuple[str, ...]:
    """One list of strings."""
    return tuple(str(word) for word in _raw(name)[key])
