"""Stands in for `crucible.record` where only Python's library is."""

from __future__ import annotations


class Record:
    """Fields by name; those not given are at the class's default."""

    def __init__(self, **fields: object) -> None:
        self.__dict__.update(fields)
