"""An attempt as chat messages, the one place where steps become turns, and as samples: one for each user turn.

    native   calls are `tool_calls`, what they returned are `tool` turns, a nudge of the harness is a `user` turn
    text     calls stay within the answer's text, and what they returned is one `user` turn

Templates drop the thinking of turns before the last user message. So a sample ends where the next user turn
begins, and what is to be learnt from it are the assistant's turns after its last user message.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypedDict

import msgspec

from crucible.acting import tool_schema
from crucible.exporting import Judged, LightStep, LightTrajectory
from crucible.model import ToolSpec
from crucible.record import Json, canonical
from crucible.shards.columns import Columns, Lists
from exporters.pictures import refuse_pictures

_decode_object = msgspec.json.Decoder(dict[str, Any]).decode


class Function(TypedDict):
    """What is called."""

    name: str
    arguments: str
    """JSON text, exactly as the teacher wrote it."""


class Call(TypedDict):
    """A tool call."""

    id: str
    type: str
    function: Function


class Message(TypedDict):
    """One turn."""

    role: str
    content: str
    reasoning_content: str | None
    tool_calls: list[Call] | None
    tool_call_id: str | None


@dataclass(frozen=True)
class Sample:
    """The conversation up to where a user speaks again."""

    number: int
    messages: Columns[Message]
    prompt: int
    """How many of the messages come before what is to be learnt."""


def split_samples(judged: Judged, pictures: bool = False) -> Iterator[Sample]:
    """The attempt's samples, one for each user turn that an assistant answers. Rejected where the attempt has pictures
    and the format none; `exporters.pictures` tells where they stand."""
    if not pictures:
        refuse_pictures(judged)
    messages = chat_messages(judged.light)
    turns = [at for at, role in enumerate(messages.fields["role"]) if role == "user"]
    ends = [*turns[1:], len(messages)]
    answered = [(at, end) for at, end in zip(turns, ends, strict=True) if end > at + 1]
    for number, (at, end) in enumerate(answered):
        yield Sample(number, messages[:end] if end < len(messages) else messages, at + 1)


def chat_messages(light: LightTrajectory) -> Columns[Message]:
    """The whole attempt as messages, thinking included."""
    turns = Turns()
    if light.system:
        turns.add("system", light.system)
    turns.add("user", light.prompt)
    (turns.add_text_steps if light.form == "text" else turns.add_native_steps)(light.steps)
    return turns.columns()


class Turns:
    """Messages as they are gathered, by field: that takes half the time of gathering them one by one."""

    def __init__(self) -> None:
        self.roles: list[str] = []
        self.contents: list[str] = []
        self.thoughts: list[str | None] = []
        self.answered: list[str | None] = []
        self.calls: list[int] = []
        """How many calls each has; the calls themselves are below."""
        self.ids: list[str] = []
        self.names: list[str] = []
        self.arguments: list[str] = []

    def add(self, role: str, content: str, thinking: str | None = None, answers: str | None = None) -> None:
        self.roles.append(role)
        self.contents.append(content)
        self.thoughts.append(thinking)
        self.answered.append(answers)
        self.calls.append(0)

    def add_native_steps(self, steps: Iterable[LightStep]) -> None:
        roles, contents, thoughts, answered, calls = (
            self.roles,
            self.contents,
            self.thoughts,
            self.answered,
            self.calls,
        )
        for step in steps:
            roles.append("assistant")
            contents.append(step.text)
            thoughts.append(step.thinking or None)
            answered.append(None)
            calls.append(len(step.calls))
            for call in step.calls:
                self.ids.append(call.id)
                self.names.append(call.name)
                self.arguments.append(json_arguments(call.arguments))
            for observation in step.observations:
                roles.append("tool" if observation.call_id else "user")
                contents.append(observation.content)
                thoughts.append(None)
                answered.append(observation.call_id or None)
                calls.append(0)

    def add_text_steps(self, steps: Iterable[LightStep]) -> None:
        for step in steps:
            self.add("assistant", step.text, step.thinking or None)
            if contents := "\n\n".join(observation.content for observation in step.observations):
                self.add("user", contents)

    def columns(self) -> Columns[Message]:
        function: Columns[Function] = Columns({"name": self.names, "arguments": self.arguments})
        calls: Columns[Call] = Columns({"id": self.ids, "type": ["function"] * len(self.ids), "function": function})
        return Columns(
            {
                "role": self.roles,
                "content": self.contents,
                "reasoning_content": self.thoughts,
                "tool_calls": Lists(self.calls, calls),
                "tool_call_id": self.answered,
            }
        )


def offered_tools(light: LightTrajectory) -> str:
    """The tools as the model was told of them, as JSON; none where they were spelled out in the prompt."""
    tools = light.tools if light.form != "text" else ()
    return f"[{', '.join(_offer_json(bytes(tool)) for tool in tools)}]"


def json_arguments(written: str) -> str:
    """Arguments that templates can parse: the exact text if it is a JSON object, otherwise an object that holds it."""
    return written if parse_arguments(written) is not None else canonical({"malformed": written}).decode()


def parse_arguments(written: str) -> dict[str, Json] | None:
    """The arguments as any JSON parser would read them; None when they are malformed: nested deeper than readers
    can call themselves, half a character, or a number larger than they can hold."""
    try:
        return _decode_object(written)
    except (ValueError, RecursionError):
        return None


def has_malformed_call(turn: Message) -> bool:
    """Whether a turn holds a call that nobody should learn to write."""
    return any(call["function"]["arguments"].startswith('{"malformed":') for call in turn["tool_calls"] or ())


@lru_cache
def _offer_json(tool: bytes) -> str:
    return json.dumps(tool_schema(ToolSpec.model_validate_json(tool)), ensure_ascii=False)
