"""Stands in for `crucible.sandbox` where only Python's library is."""

from __future__ import annotations

from crucible.record import Record


class Done(Record):
    """A command that ended."""

    code: int
    out: str = ""
    err: str = ""
    stopped: str = ""
