"""One attempt at a task: who made it, what was said and done step by step, and what it left."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Literal

from pydantic import Field

from crucible.record import Json, Record, digest
from crucible.sandbox import Left

Ended = Literal["submitted", "silent", "steps", "tokens", "seconds", "money", "exhausted"]
"""Why an attempt stopped. `silent`: the teacher stopped calling tools. `exhausted`: it used up its box.
A broken box or endpoint is not in this list: such an attempt is no trajectory, it is tried again."""


class ToolSpec(Record):
    """A tool as the teacher sees it. `does` is the tool part behind the name."""

    name: str
    does: str
    description: str
    parameters: dict[str, Json]
    """JSON Schema of the arguments."""


class ToolCall(Record):
    """A call as the teacher wrote it; `arguments` is its exact JSON text, malformed or not."""

    id: str
    name: str
    arguments: str = "{}"

    def mapping(self) -> dict[str, Json]:
        """The arguments as a mapping; ValueError when they are not one."""
        value = json.loads(self.arguments or "{}")
        if not isinstance(value, dict):
            raise ValueError(f"arguments must be a JSON object, not {type(value).__name__}")
        return value


class Observation(Record):
    """What came back from one tool call."""

    call_id: str
    """The call it answers; empty when the harness itself speaks, as a user would."""
    content: str
    images: tuple[str, ...] = ()
    """Pictures that came with it: digests of blobs."""


class Usage(Record):
    """What an answer cost."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in type(self).model_fields})


class Tokens(Record):
    """What the engine saw and sampled, where the endpoint tells; never made by tokenising again."""

    resumed: int = 0
    """How many tokens the prompt has in common with the beginning of all that the step before saw and sampled."""
    prompt_ids: tuple[int, ...] = ()
    """The rest of the prompt: each step stores what is new."""
    completion_ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()


class Step(Record):
    """Think, act, observe: one answer of the teacher and what its calls returned."""

    thinking: str = ""
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    observations: tuple[Observation, ...] = ()
    usage: Usage = Usage()
    tokens: Tokens = Tokens()
    model: str = ""
    """The model and its version, as the endpoint names who answered."""
    finish: str = ""
    """Why the endpoint stopped writing: `stop`, `tool_calls`, `length`."""
    seconds: float = 0.0


class Agent(Record):
    """Who attempts: enough to do it again."""

    harness: str = "loop"
    """The agent part that drives the attempt."""
    scaffold: str
    tools: tuple[str, ...] = ()
    """Tools that it has besides those of the scaffold."""
    teacher: str
    options: dict[str, Json] = Field(default_factory=dict)
    """Model, sampling parameters, script: whatever the teacher takes."""
    seed: int = 0
    session: str = ""
    """Attempts of one group or one conversation share a session."""

    def attempt_id(self, task_id: str) -> str:
        """The id of this agent's attempt at a task: the same attempt twice is one row."""
        return f"{task_id}-{self.teacher.rpartition(':')[2]}-{digest(self, task_id)[:10]}"


class Trajectory(Record):
    """One attempt, whole. Its defaults, and those of its steps, all mean nothing at all, and stay so."""

    terse = True

    task_id: str
    agent: Agent
    system: str
    prompt: str
    images: tuple[str, ...] = ()
    """Pictures shown with the prompt: digests of blobs."""
    tools: tuple[ToolSpec, ...] = ()
    form: Literal["native", "text"] = "native"
    """`text`: the calls of a step are fenced blocks within its `text`, and observations come back as user turns."""
    steps: tuple[Step, ...] = ()
    artifacts: dict[str, str] = Field(default_factory=dict)
    """Digests of blobs by name: `diff`, a git patch of the workdir, or `layer` or `files`, archives."""
    left: Left = "unknown"
    ended: Ended
    detail: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0

    @cached_property
    def id(self) -> str:
        return self.agent.attempt_id(self.task_id)

    @cached_property
    def digest(self) -> str:
        """The hash of what was said and done, without clocks: what a verdict is about."""
        timeless = [step.model_dump(mode="json", exclude={"seconds"}) for step in self.steps]
        said = (self.system, self.prompt, list(self.images), timeless)
        return digest(self.task_id, self.agent, *said, self.artifacts, self.left, self.ended)
