"""Alterations of tests laid into their files, and which of them are laid in at once.

Python's standard library is all that is needed: exported Harbor folders ship this module with their grader.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Protocol, TypeVar


class Alteration(Protocol):
    """One altered place in a test file. `crucible.domains.code.twins.Twin` is one."""

    @property
    def path(self) -> str:
        """The test file."""

    @property
    def start(self) -> int:
        """Where the altered text begins, in characters."""

    @property
    def end(self) -> int:
        """Where it ends."""

    @property
    def text(self) -> str:
        """What stands there instead."""

    @property
    def test(self) -> str:
        """The test that holds the place."""

    @property
    def is_value(self) -> bool:
        """Whether an expected value is altered."""


A = TypeVar("A", bound=Alteration)


def apply_twins(files: Mapping[str, str], twins: Iterable[Alteration]) -> dict[str, str]:
    """The files with these alterations. ValueError where two of them touch the same text."""
    altered = dict(files)
    by_place = sorted(twins, key=lambda twin: (twin.path, twin.start, twin.end), reverse=True)
    for later, twin in zip([None, *by_place], by_place, strict=False):
        if later and later.path == twin.path and later.start < twin.end:
            raise ValueError(f"two alterations overlap in {twin.path}, at {twin.start} and {later.start}")
        text = altered[twin.path]
        altered[twin.path] = text[: twin.start] + twin.text + text[twin.end :]
    return altered


def group_by_test(twins: Iterable[A]) -> dict[tuple[str, str], tuple[A, ...]]:
    """The alterations by file and test, in the order they came in. Of one test at most one is used at a time."""
    groups: dict[tuple[str, str], tuple[A, ...]] = {}
    for twin in twins:
        key = (twin.path, twin.test)
        groups[key] = (*groups.get(key, ()), twin)
    return groups


def draw_twins(twins: Sequence[A], random: Random) -> tuple[A, ...]:
    """One alteration of each test, an expected value where there is one; of three tests or more one is spared, of two
    one or none. Who finds out that a run is one of twins still has to tell which of the tests was altered."""
    groups = list(group_by_test(twins).values())
    spared = 1 if len(groups) > 2 else random.randrange(len(groups)) if groups else 0
    return tuple(random.choice(_best_twins(group)) for group in random.sample(groups, len(groups) - spared))


def draw_spared(twins: Sequence[A], draw: Sequence[A], random: Random) -> tuple[A, ...]:
    """One alteration of each test that a draw spared."""
    drawn = group_by_test(draw)
    groups = [group for test, group in group_by_test(twins).items() if test not in drawn]
    return tuple(random.choice(_best_twins(group)) for group in groups)


def _best_twins(group: Sequence[A]) -> Sequence[A]:
    """Those that alter an expected value: an object that equals everything passes them, and fails the others."""
    return [twin for twin in group if twin.is_value] or group
