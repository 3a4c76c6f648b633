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
from itertools import chain
from typing import TypedDict

from pydantic_core import from_json

from crucible.acting import offered
from crucible.exporting import Accepted
from crucible.model import ToolSpec
from crucible.record import Json, canonical
from crucible.said import Said, SaidObservation, SaidStep


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
    said = messages(one.said)
    turns = [at for at, message in enumerate(said) if message["role"] == "user"]
    ends = [*turns[1:], len(said)]
    answered = [(at, end) for at, end in zip(turns, ends, strict=True) if end > at + 1]
    for number, (at, end) in enumerate(answered):
        yield Sample(number, said[:end], at + 1)


def messages(said: Said) -> list[Message]:
    """The whole attempt, thinking included."""
    told = [message("system", said["system"])] if said["system"] else []
    turns = _text_turns if said.get("form") == "text" else _native_turns
    return [*told, message("user", said["prompt"]), *chain.from_iterable(map(turns, said.get("steps", ())))]


def message(role: str, content: str) -> Message:
    return {"role": role, "content": content, "reasoning_content": None, "tool_calls": None, "tool_call_id": None}


def tools(said: Said) -> str:
    """The tools as the model was told of them, as JSON; none where they were spelled out in the prompt."""
    shown = said.get("tools", ()) if said.get("form") != "text" else ()
    return json.dumps([offered(ToolSpec.model_validate(tool)) for tool in shown], ensure_ascii=False)


def arguments(written: str) -> str:
    """The exact text if it is a JSON object; otherwise an object that holds the text, for templates parse it."""
    return written if mapping(written) is not None else canonical({"malformed": written}).decode()


def mapping(written: str) -> dict[str, Json] | None:
    """The arguments as any JSON parser would read them; None when they are malformed: nested deeper than readers
    can call themselves, half a character, or a number larger than they can hold."""
    try:
        value = from_json(written, allow_inf_nan=False)
    except ValueError:
        return None
    if not isinstance(value, dict) or _overflows(value):
        return None
    return value


def is_malformed(turn: Message) -> bool:
    """Whether a turn holds a call that nobody should learn to write."""
    return any(call["function"]["arguments"].startswith('{"malformed":') for call in turn["tool_calls"] or ())


def _overflows(value: dict[str, Json]) -> bool:
    """Whether a number in it was too large for a float; where all are texts, there is none."""
    if all(type(one) is str for one in value.values()):
        return False
    return "inf" in repr(value) and "Infinity" in json.dumps(value)


def _native_turns(step: SaidStep) -> list[Message]:
    calls: list[Call] = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": arguments(call.get("arguments", "{}"))},
        }
        for call in step.get("calls", ())
    ]
    return [_answer(step, calls or None), *map(_returned, step.get("observations", ()))]


def _returned(seen: SaidObservation) -> Message:
    call_id = seen["call_id"]
    return {
        "role": "tool" if call_id else "user",
        "content": seen["content"],
        "reasoning_content": None,
        "tool_calls": None,
        "tool_call_id": call_id or None,
    }


def _text_turns(step: SaidStep) -> list[Message]:
    seen = "\n\n".join(one["content"] for one in step.get("observations", ()))
    return [_answer(step, None), *([message("user", seen)] if seen else [])]


def _answer(step: SaidStep, calls: list[Call] | None) -> Message:
    return {
        "role": "assistant",
        "content": step.get("text", ""),
        "reasoning_content": step.get("thinking") or None,
        "tool_calls": calls,
        "tool_call_id": None,
    }
