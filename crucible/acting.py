"""What acting means to the spine: the protocols of teachers and agents, and the scaffold between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from pydantic import Field

from crucible.model import Agent, Step, Task, Tokens, ToolCall, ToolSpec, Trajectory, Usage
from crucible.record import Json, Record
from crucible.sandbox import Sandbox


class Scaffold(Record):
    """How a teacher is spoken to: prompts, tool names and the form of its calls. Data, not code."""

    name: str
    system: str
    prompt: str
    """The first user message; `{instruction}` and `{workdir}` are filled in."""
    tools: tuple[ToolSpec, ...]
    form: Literal["native", "text"] = "native"
    """`native`: the endpoint's tool calls. `text`: calls are fenced blocks in the answer."""
    observation: str = "{output}"
    """How a command's result is shown: `{code}`, `{output}`, `{seconds}`."""


class Stops(Record):
    """When an attempt ends whether or not the teacher is done."""

    steps: int = 40
    tokens: int = 400_000
    seconds: float = 1200.0
    money_usd: float = 5.0


class Ask(Record):
    """All a teacher gets to see for its next answer."""

    system: str
    prompt: str
    steps: tuple[Step, ...] = ()
    tools: tuple[ToolSpec, ...] = ()
    form: Literal["native", "text"] = "native"
    seed: int = 0
    options: dict[str, Json] = Field(default_factory=dict)


class Reply(Record):
    """One answer."""

    thinking: str = ""
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    tokens: Tokens = Tokens()


class Teacher(Protocol):
    """Answers. Keeps no state between answers: what it needs is in the question, so a run can resume.

    The task is there for the teachers that play a part (oracle, scripted); one that stands for a
    model must look at nothing but the question.
    """

    async def reply(self, task: Task, ask: Ask) -> Reply:
        """The next answer. TeacherError when there is none to be had."""


class Attempt(Protocol):
    """The agent loop: let a teacher attempt a task in a box."""

    async def __call__(
        self, task: Task, box: Sandbox, agent: Agent, teacher: Teacher, *, stops: Stops = Stops()
    ) -> tuple[Trajectory, Mapping[str, bytes]]:
        """The trajectory, and its artifacts' bytes by digest, for the caller to keep."""


