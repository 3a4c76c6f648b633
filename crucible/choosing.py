"""What a selection policy is: a named function that ranks the accepted attempts at one task, each with its reason.

    @policy("brevity")
    async def by_brevity(candidates: Sequence[Candidate]) -> Ranking:
        for candidate in sorted(candidates, key=lambda each: each.length):
            yield candidate, f"{candidate.length} characters"

Candidates come best reward first, then the least written, then by id. A policy may name services it needs: those of
`services/`, and `blobs`, `facts` and `identify`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from crucible.exporting import Judged
from crucible.record import Record

R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Candidate:
    """An accepted attempt, and what most policies look at."""

    judged: Judged
    score: float
    """Its reward."""
    length: int
    """Characters the teacher wrote: thinking, text and arguments."""
    acts: frozenset[str]
    """What it did: its calls, each once."""

    @property
    def id(self) -> str:
        return self.judged.trajectory_id

    @classmethod
    def of(cls, judged: Judged) -> Candidate:
        """The attempt as a candidate."""
        steps = judged.light.steps
        calls = [call for step in steps for call in step.calls]
        spoken = sum(len(step.thinking) + len(step.text) for step in steps)
        written = sum(len(call.arguments) for call in calls)
        acts = frozenset(f"{call.name} {call.arguments}" for call in calls)
        return cls(judged, judged.reward, spoken + written, acts)


Ranking = AsyncIterator[tuple[Candidate, str]]
"""Candidates, the first to keep first, each with its reason."""


class Facts(Protocol):
    """What a policy has found out and need not find out again: items of the ledger. A run that was stopped goes on."""

    async def recall(self, noun: str, id: str, kind: type[R]) -> R | None:
        """The fact that was kept under this id, if any."""

    async def keep(self, noun: str, id: str, fact: Record, task_id: str) -> None:
        """Keep a fact beside its task. The first one that is kept under an id stays."""


def rank_key(candidate: Candidate) -> tuple[float, int, str]:
    """The order in which candidates are handed to a policy."""
    return -candidate.score, candidate.length, candidate.id


def sort_candidates(attempts: Sequence[Judged]) -> list[Candidate]:
    """Attempts as candidates, in the order in which a policy gets them."""
    return sorted(map(Candidate.of, attempts), key=rank_key)
