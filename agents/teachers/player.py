"""A teacher that plays turns written beforehand: how many steps there are already says which turn is next."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from agents.translation import Call, Turn, render_turn
from crucible.acting import Ask, Reply, TeacherRun
from crucible.model import Task

SUBMIT_TURN = Turn(calls=(Call(tool="submit"),))
"""What is played when no turn is left."""
ChooseTurns = Callable[[Task, Ask], Sequence[Turn]]
"""Gives all turns of an attempt, from the task and the question's options."""


@dataclass(frozen=True)
class Player:
    """Plays the chosen turns one by one, then submits."""

    choose_turns: ChooseTurns
    plays_reference: bool = False
    """Whether its turns copy files of the task's reference, which are then laid in its box."""

    async def reply(self, task: Task, ask: Ask) -> Reply:
        turns = self.choose_turns(task, ask)
        step = len(ask.steps)
        return render_turn(turns[step] if step < len(turns) else SUBMIT_TURN, ask)


@asynccontextmanager
async def open_player(
    choose_turns: ChooseTurns, settings: TeacherRun, plays_reference: bool = False
) -> AsyncIterator[Player]:
    """A player in the form of an opened teacher; it holds nothing open and looks at no setting."""
    yield Player(choose_turns, plays_reference)
