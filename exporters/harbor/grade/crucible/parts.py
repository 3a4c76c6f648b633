"""Stands in for `crucible.parts` where only Python's library is: it knows the frameworks that were imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Part(NamedTuple):
    make: Callable[[], Any]


_known: dict[str, Part] = {}


def runner(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    def keep(make: Callable[[], Any]) -> Callable[[], Any]:
        _known[name] = Part(make)
        return make

    return keep


def find(kind: str, name: str) -> Part:
    return _known[name]
