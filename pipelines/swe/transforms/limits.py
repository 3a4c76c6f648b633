"""How hard is tried to make a variant: `limits.toml`."""

from __future__ import annotations

from pathlib import Path

from crucible.datafile import read_file
from crucible.record import Record

HERE = Path(__file__).parent


class Limits(Record):
    """`limits.toml`, which says of each number what it limits."""

    tries: int
    patience: float
    patience_seconds: float
    broken_share: float
    mutants: int
    review_lines: int
    review_longest: int
    order: tuple[str, ...]


def load_limits() -> Limits:
    """The limits, as the file has them."""
    return read_file(HERE / "limits.toml", Limits)
