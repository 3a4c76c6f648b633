"""Teachers and shortcuts that several of these tests use."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from agents.loop import loop
from crucible import parts
from crucible.acting import Ask, Reply, Stops, Teacher, TeacherSettings
from crucible.model import Agent, Task, ToolCall, Trajectory
from crucible.sandbox import Sandbox


def settings(**teacher: Any) -> Any:
    """The run's settings, as far as teachers look."""
    return SimpleNamespace(teacher=TeacherSettings(**teacher))


def call(name: str, arguments: str | None = None, **given: Any) -> ToolCall:
    """A call as a native teacher writes it."""
    return ToolCall(id="", name=name, arguments=json.dumps(given) if arguments is None else arguments)


class PreparedTeacher:
    """A teacher whose answers are written down, each as a reply or as a function of the question."""

    def __init__(self, *replies: Reply | Callable[[Ask], Reply]) -> None:
        self.replies = replies
        self.asked: list[Ask] = []

    async def reply(self, task: Task, ask: Ask) -> Reply:
        self.asked.append(ask)
        reply = self.replies[min(len(ask.steps), len(self.replies) - 1)]
        return reply if isinstance(reply, Reply) else reply(ask)


async def attempt(
    task: Task, box: Sandbox, teacher: Teacher, stops: Stops | None = None, *, scaffold: str = "native", seed: int = 0
) -> tuple[Trajectory, Mapping[str, bytes]]:
    """Let this teacher attempt the task."""
    agent = Agent(scaffold=scaffold, teacher="said", seed=seed)
    return await loop(task, box, agent, teacher, stops=stops or Stops())


async def play_teacher(
    task: Task, box: Sandbox, teacher: str, *, scaffold: str = "native", seed: int = 0, **options: Any
) -> tuple[Trajectory, Mapping[str, bytes]]:
    """Let the teacher of that name attempt the task."""
    agent = Agent(scaffold=scaffold, teacher=teacher, seed=seed, options=options)
    async with parts.find("teacher", teacher).make(settings()) as player:
        return await loop(task, box, agent, player)


def observed_text(trajectory: Trajectory) -> str:
    """All that came back to the teacher."""
    return "\n".join(one.content for step in trajectory.steps for one in step.observations)
