"""An attempt as chat messages, the one place where steps become turns, and as samples: one for each user turn.

    native   calls are `tool_calls`, what they returned are `tool` turns, a nudge of the harness is a `user` turn
    text     calls stay within the answer's text, and what they returned is one `user` turn

Templates drop the thinking of turns before the last user message. So a sample ends where the next user turn
begins, and what is to be learnt from it are the assistant's turns after its last user message.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite
from typing import NoReturn, TypedDict

from crucible.acting import offered
from crucible.exporting import Accepted
from crucible.model import Step, ToolCall, Trajectory
from crucible.record import Json, canonical

DEEPEST = 200
"""Arguments nested deeper count as malformed."""


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
    messages: list[Message]
    prompt: int
    """How many of the messages come before what is to be learnt."""


def samples(one: Accepted) -> Iterator[Sample]:
    """One for each user turn that an assistant answers."""
    said = list(messages(one.trajectory))
    turns = [at for at, message in enumerate(said) if message["role"] == "user"]
    ends = [*turns[1:], len(said)]
    answered = [(at, end) for at, end in zip(turns, ends, strict=True) if end > at + 1]
    for number, (at, end) in enumerate(answered):
        yield Sample(number, said[:end], at + 1)


def messages(trajectory: Trajectory) -> Iterator[Message]:
    """The whole attempt, thinking included."""
    if trajectory.system:
        yield message("system", trajectory.system)
    yield message("user", trajectory.prompt)
    for step in trajectory.steps:
        yield from _text_turns(step) if trajectory.form == "text" else _native_turns(step)


def message(role: str, content: str) -> Message:
    return {"role": role, "content": content, "reasoning_content": None, "tool_calls": None, "tool_call_id": None}


def tools(trajectory: Trajectory) -> str:
    """The tools as the model was told of them, as JSON; none where they were spelled out in the prompt."""
    shown = trajectory.tools if trajectory.form == "native" else ()
    return json.dumps([offered(tool) for tool in shown], ensure_ascii=False)


def arguments(call: ToolCall) -> str:
    """The exact text if it is a JSON object; otherwise an object that holds the text, for templates parse it."""
    return call.arguments if mapping(call) is not None else canonical({"malformed": call.arguments}).decode()


def mapping(call: ToolCall) -> dict[str, Json] | None:
    """The arguments as any JSON parser would read them; None when they are malformed."""
    try:
        value = _STRICT.decode(call.arguments)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and _is_shallow(call.arguments) else None


def is_malformed(turn: Message) -> bool:
    """Whether a turn holds a call that nobody should learn to write."""
    return any(call["function"]["arguments"].startswith('{"malformed":') for call in turn["tool_calls"] or ())


def _native_turns(step: Step) -> Iterator[Message]:
    calls: list[Call] = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments(call)}}
        for call in step.calls
    ]
    yield _answer(step, calls or None)
    for one in step.observations:
        told = message("tool" if one.call_id else "user", one.content)
        told["tool_call_id"] = one.call_id or None
        yield told


def _text_turns(step: Step) -> Iterator[Message]:
    yield _answer(step, None)
    seen = "\n\n".join(one.content for one in step.observations)
    if seen:
        yield message("user", seen)


def _answer(step: Step, calls: list[Call] | None) -> Message:
    said = message("assistant", step.text)
    said["reasoning_content"] = step.thinking or None
    said["tool_calls"] = calls
    return said


def _is_shallow(text: str) -> bool:
    """Readers give up on what is nested deeper than they can call themselves; counting brackets errs to be safe."""
    return text.count("[") + text.count("{") < DEEPEST or _depth(text) < DEEPEST


def _depth(text: str) -> int:
    """How deep brackets are nested, those within texts included."""
    steps = (1 if char in "[{" else -1 for char in text if char in "[{]}")
    return max(accumulate(steps), default=0)


def _finite(digits: str) -> float:
    """A number too large for a reader is as bad as one that is none."""
    number = float(digits)
    return number if isfinite(number) else _no_number(digits)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_STRICT = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)
