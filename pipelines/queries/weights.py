"""Which meta-query is drawn next: those whose queries led to accepted work are drawn more often, the others less."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping


def take_turns(weights: Mapping[str, float]) -> Iterator[str]:
    """Names without end, each as often as its weight says, evenly spread."""
    turns = [(1 / weight, name) for name, weight in weights.items()]
    heapq.heapify(turns)
    while turns:
        due, name = turns[0]
        heapq.heapreplace(turns, (due + 1 / weights[name], name))
        yield name
