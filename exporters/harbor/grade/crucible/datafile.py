"""Stands in for `crucible.datafile`: the tables lie beside a module as JSON, which older interpreters read too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

R = TypeVar("R")


def row(file: Path, key: str, record: type[R]) -> R:
    """One table."""
    return record(**json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))[key])
