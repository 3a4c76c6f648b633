"""Families of languages, each with build systems of its own, by the suffix of a file: rows of `families.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from crucible.datafile import read_rows
from crucible.record import Record

HERE = Path(__file__).parent


class Family(Record):
    """One row of `families.toml`: the files that are written in a family's languages."""

    name: str
    suffixes: tuple[str, ...]


@cache
def _families() -> Mapping[str, str]:
    families = read_rows(HERE / "families.toml", "families", Family)
    return {suffix: family.name for family in families for suffix in family.suffixes}


def family_of(path: str) -> str:
    """The family of the language that a file is written in; empty for data and for languages that are in no family."""
    return _families().get(PurePosixPath(path).suffix, "")


def is_code(path: str) -> bool:
    """Whether a file is written in a language of some family; data beside the tests is not."""
    return bool(family_of(path))
