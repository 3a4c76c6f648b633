"""Queries out of a library, without end: meta-queries take turns, near-duplicates are told apart from new ones.

A cursor says how many queries each meta-query has given. Those are made again and not given again, so that a later
collection knows a duplicate of an earlier one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from crucible.mining import Yield
from pipelines.queries.duplicates import SeenTexts
from pipelines.queries.expanding import expand
from pipelines.queries.library import Library
from pipelines.queries.model import Query
from pipelines.queries.weights import take_turns

CHUNK = 500
"""Queries that are held against each other at once."""


@dataclass
class QueryDraw:
    """A walk over a library's queries."""

    library: Library
    yields: Mapping[str, Yield]
    """What came of earlier queries, by meta-query."""
    similarity: float
    given: Counter[str] = field(default_factory=Counter)
    """How many queries each meta-query has given already."""

    @classmethod
    def resume(cls, library: Library, yields: Mapping[str, Yield], similarity: float, place: str) -> QueryDraw:
        """Go on where a cursor stopped."""
        return cls(library, yields, similarity, Counter(json.loads(place or "{}")))

    @property
    def place(self) -> str:
        """How far it has come, for a cursor."""
        return json.dumps(self.given, sort_keys=True)

    def stream(self) -> Iterator[tuple[Query, str]]:
        """Queries, each with the id of an earlier one that it nearly repeats, or nothing. `place` is then behind it."""
        seen = SeenTexts(self.similarity)
        before = [(name, number) for name, count in self.given.items() for number in range(count)]
        seen.add_all([(query.id, query.text) for query in map(self._make, before)])
        numbers, turns = Counter(self.given), take_turns(self._weights())
        while True:
            names = islice(turns, CHUNK)
            queries = [self._make((name, _count_on(numbers, name))) for name in names]
            twins = seen.add_all([(query.id, query.text) for query in queries])
            for query, twin in zip(queries, twins, strict=True):
                self.given[query.meta] += 1
                yield query, twin

    def _make(self, which: tuple[str, int]) -> Query:
        name, number = which
        return expand(self.library.metas[name], self.library, number)

    def _weights(self) -> dict[str, float]:
        metas = self.library.metas.values()
        return {meta.name: meta.weight * self.yields.get(meta.name, Yield()).factor for meta in metas}


def _count_on(numbers: Counter[str], name: str) -> int:
    """The next number of a name."""
    numbers[name] += 1
    return numbers[name] - 1
