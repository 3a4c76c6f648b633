"""All candidates for twins of a set of test files.

A candidate only looks as if right code failed it. Whether it does is seen when the task is proven.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from random import Random

from crucible.domains.code.twins import Twin
from verifiers.twins.places import line_tests, python_tests, syntax_tests
from verifiers.twins.places.place import NEAR_VALUE, VALUE, Draft, Place
from verifiers.twins.values.known_values import exchange_values

MOST_PLACES = 40
"""How many candidates are kept of one test."""


def draft_twins(files: Mapping[str, str], *, seed: str) -> tuple[Twin, ...]:
    """Every alteration of an assertion in these test files that still parses: altered values first, then conditions
    turned round, then failing statements in tests without an assertion; in seeded order within each."""
    ranked: list[tuple[int, float, Twin]] = []
    for path, text in sorted(files.items()):
        random = Random(f"{seed}:{path}")
        for place in _select_places(Draft(path, text, random)):
            ranked.append((place.rank, random.random(), _to_twin(path, text, place)))
    ordered = [twin for _, _, twin in sorted(ranked, key=lambda entry: entry[:2])]
    whole = {twin for rank, _, twin in ranked if rank == VALUE}
    return exchange_values(ordered, files, seed, whole)


def _select_places(draft: Draft) -> Iterable[Place]:
    """The best places of each test."""
    by_test: dict[str, list[Place]] = {}
    for place in _find_places(draft):
        if draft.text[place.start : place.end] != place.text:
            by_test.setdefault(place.test, []).append(place)
    for places in by_test.values():
        draft.random.shuffle(places)
        yield from sorted(places, key=lambda place: place.rank)[:MOST_PLACES]


def _find_places(draft: Draft) -> Sequence[Place]:
    """The places in a file, by the reader of its language."""
    if PurePosixPath(draft.path).suffix == ".py":
        return python_tests.find_places(draft)
    return syntax_tests.find_places(draft) or line_tests.find_places(draft)


def _to_twin(path: str, text: str, place: Place) -> Twin:
    return Twin(
        path=path,
        start=place.start,
        end=place.end,
        text=place.text,
        test=place.test,
        line=text.count("\n", 0, place.start) + 1,
        is_value=place.rank <= NEAR_VALUE,
        is_near=place.rank == NEAR_VALUE,
    )
