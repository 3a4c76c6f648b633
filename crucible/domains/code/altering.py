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

    @property
    def fails(self) -> Sequence[str]:
        """The tests that right code fails with it."""


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
    """One alteration of each test, an expected value where there is one. Of the tests that have several every other one
    gets its first, which is where it fails over the base, and the rest a later one: code that solves the one kind and
    talks its way through the other meets both."""
    groups = [list_best(group) for group in group_by_test(twins).values()]
    random.shuffle(groups)
    groups.sort(key=len, reverse=True)
    chance = random.randrange(2)
    return tuple(
        group[0] if len(group) == 1 or (place + chance) % 2 else random.choice(group[1:])
        for place, group in enumerate(groups)
    )


def draw_halves(twins: Sequence[A], random: Random) -> tuple[tuple[A, ...], tuple[A, ...]]:
    """One alteration of each test, divided by chance among two runs: every test is altered in one of them, and as it
    was in the other. Where they all make the same test fail, the first run has none."""
    groups = _join_by_failure(draw_twins(twins, random))
    random.shuffle(groups)
    cut = random.randrange(1, len(groups)) if len(groups) > 1 else 0
    first, second = ([twin for group in half for twin in group] for half in (groups[:cut], groups[cut:]))
    return tuple(first), tuple(second)


def _join_by_failure(draw: Sequence[A]) -> list[list[A]]:
    """The alterations in groups that make no test of another group fail: a program of several tests may be reported as
    one."""
    groups: list[list[A]] = []
    for twin in draw:
        touched = [group for group in groups if any({*twin.fails} & {*other.fails} for other in group)]
        groups = [group for group in groups if group not in touched]
        groups.append([*(other for group in touched for other in group), twin])
    return groups


def list_best(group: Sequence[A]) -> Sequence[A]:
    """Those that alter an expected value: an object that equals everything passes them, and fails the others."""
    return [twin for twin in group if twin.is_value] or group
