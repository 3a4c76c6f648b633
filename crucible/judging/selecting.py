"""From several accepted attempts at one task, keep a few by a stated policy (`exporters/policies`), and say why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crucible.choosing import Candidate
from crucible.model import Choice, Selection
from crucible.part_kinds import Part

NOUN = "selection"


async def select_attempts(
    task_id: str, candidates: Sequence[Candidate], policy: Part, keep: int, where: str = "", **services: Any
) -> Selection:
    """The selection for one task. Candidates come in a fixed order (`sort_candidates`), so that the same policy chooses
    the same."""
    ranked: list[tuple[Candidate, str]] = [each async for each in policy.make(candidates, **services)]
    choices = [
        Choice(
            trajectory_id=candidate.id,
            kept=place < keep,
            score=candidate.score,
            length=candidate.length,
            reason=f"{place + 1} of {len(ranked)} by {policy.name}: {why}",
        )
        for place, (candidate, why) in enumerate(ranked)
    ]
    return Selection(task_id=task_id, policy=policy.name, keep=keep, where=where, choices=tuple(choices))
