"""What trainer and server tell each other, as JSON. Messages and tools have the form of OpenAI-compatible endpoints."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from crucible.acting import Reply
from crucible.model import Ended, Outcome, Task, ToolCall, Verdict
from crucible.record import Json, Record, canonical

Message = dict[str, Any]


class Opening(Record):
    """Which task a policy wants to attempt, and how it is spoken to."""

    task_id: str = ""
    """A sound task of the ledger."""
    task: Task | None = None
    """A task that came with a row, without its reference."""
    scaffold: str = ""
    """Empty: that of the task's domain. `text`: calls are blocks in the answer's text."""
    seed: int = 0
    """Which of the scaffold's wordings is used: attempts of one group share it."""


class CalledFunction(BaseModel):
    """The name and the arguments of a call, as JSON text or as what it says."""

    name: str
    arguments: str | dict[str, Json] = "{}"


class Call(BaseModel):
    """One call of a message."""

    id: str = ""
    function: CalledFunction

    def to_tool_call(self) -> ToolCall:
        arguments = self.function.arguments
        text = arguments if isinstance(arguments, str) else canonical(arguments).decode()
        return ToolCall(id=self.id, name=self.function.name, arguments=text)


class Answer(BaseModel):
    """A message of the policy. Trainers add fields of their own to it, which are passed over."""

    model_config = ConfigDict(extra="ignore")

    content: str = ""
    reasoning_content: str = ""
    tool_calls: tuple[Call, ...] = ()

    @field_validator("content", "reasoning_content", "tool_calls", mode="before")
    @classmethod
    def _null_is_nothing(cls, value: object, info: Any) -> object:
        return cls.model_fields[info.field_name].default if value is None else value

    def to_reply(self) -> Reply:
        """The message as the loop takes a teacher's answer."""
        calls = tuple(call.to_tool_call() for call in self.tool_calls)
        return Reply(thinking=self.reasoning_content, text=self.content, calls=calls)


class Judgement(Record):
    """What an attempt is worth, by whom and why."""

    reward: float = Field(ge=0, le=1)
    outcome: Outcome
    ended: Ended
    """Why the attempt stopped."""
    verdicts: tuple[Verdict, ...]


class EpisodeState(Record):
    """Where an episode stands."""

    id: str
    state: Literal["working", "asking", "done", "failed"]
    """`working`: a box is opened, calls are carried out, or the attempt is judged. `asking`: the policy's turn.
    `failed`: there is no reward, because something broke that is no doing of the policy."""
    turn: int = 0
    """How many answers were taken."""
    messages: tuple[Message, ...] = ()
    """When asking: what is new to the policy since its last answer."""
    tools: tuple[dict[str, Json], ...] = ()
    """When asking: what it may call; empty where calls are written as text."""
    judgement: Judgement | None = None
    error: str = ""
    """Why the episode failed."""
