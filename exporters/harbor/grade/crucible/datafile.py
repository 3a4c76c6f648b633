"""Stands in for `crucible.datafile`: the tables lie beside a module as JSON, which older interpreters read too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

R = TypeVar("R")


def row(file: Path, key: str, record: type[R]) -> R:
    """One table."""
    return record(**_at(file, key))


def rows(file: Path, key: str, record: type[R]) -> tuple[R, ...]:
    """The rows of one array of tables."""
    return tuple(record(**one) for one in _at(file, key))


def words(file: Path, key: str) -> tuple[str, ...]:
    """One list of strings."""
    return tuple(_at(file, key))


def _at(file: Path, key: str) -> Any:
    return json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))[key]
