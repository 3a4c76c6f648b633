"""Teachers that play a part: what comes next follows from how many steps there are already, and from nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from agents.speech import Call, Turn, say
from crucible.acting import Ask, Reply, TeacherRun
from crucible.model import Task

SUBMIT = Turn(calls=(Call(tool="submit"),))
Score = Callable[[Task, Ask], Sequence[Turn]]
"""The turns of an attempt, from the task and the question's options."""


@dataclass(frozen=True)
class Player:
    """Plays its score turn by turn, then submits."""

    score: Score

    async def reply(self, task: Task, ask: Ask) -> Reply:
        turns = self.score(task, ask)
        at = len(ask.steps)
        return say(turns[at] if at < len(turns) else SUBMIT, ask)


@asynccontextmanager
async def playing(score: Score, settings: TeacherRun) -> AsyncIterator[Player]:
    """A player needs nothing opened and looks at no setting."""
    yield Player(score)
