"""An attempt as chat messages, the one place where steps become turns, and what is to be learnt from them.

    native   calls are `tool_calls`, what they returned are `tool` turns, a nudge of the harness is a `user` turn
    text     calls stay within the answer's text, and what they returned is one `user` turn

Every answer is learnt once, but for calls that are not JSON: nobody should learn to write those. A format says which
turns a row trains in one of two ways:

    samples        the trainer is told: a row for each user turn, trained on the answers after it (templates drop the
                   thinking of turns before the last user message)
    conversations  the trainer trains on every answer it is shown: one row for the whole attempt
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypedDict, cast

import msgspec

from crucible.acting import tool_schema
from crucible.errors import Rejected
from crucible.exporting import Judged, LightStep, LightTrajectory
from crucible.model import ToolSpec
from crucible.record import Json, canonical
from crucible.shards.columns import Columns, Lists
from exporters.pictures import refuse_pictures

MALFORMED = '{"malformed":'
"""How the object begins that holds arguments which are none."""
_MANY_DIGITS = re.compile(r"[0-9]{19}")
# matches: the digits of {"n": 12345678901234567890}, which may not fit into 64 bits
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
    """A conversation up to the last answer that is learnt from it."""

    messages: Columns[Message]
    learnt: Sequence[int]
    """The places of the answers that are learnt."""

    @property
    def flags(self) -> list[bool]:
        """For every turn whether it is learnt."""
        places = set(self.learnt)
        return [at in places for at in range(len(self.messages))]


def split_samples(judged: Judged, unbroken: bool = False) -> Iterator[Sample]:
    """The attempt's samples, one for each user turn that is answered; with `unbroken` no answer between two that are
    learnt is left out, so that such a row is a prompt and a completion."""
    refuse_pictures(judged)
    messages = chat_messages(judged.light)
    malformed = _malformed_turns(messages)
    runs: list[list[int]] = [[]]
    for at, role in enumerate(messages.fields["role"]):
        if role == "user" or (unbroken and at in malformed):
            runs.append([])
        elif role == "assistant" and at not in malformed:
            runs[-1].append(at)
    learnt = [run for run in runs if run]
    if not learnt:
        raise Rejected("nothing_to_learn", "there is no answer, or none whose calls are JSON")
    for run in learnt:
        yield Sample(messages[: run[-1] + 1], run)


def whole_conversation(judged: Judged) -> Columns[Message]:
    """The attempt up to its last answer, for a trainer that trains on every answer. Rejected where one of them holds
    a call that is not JSON; `exporters.pictures` tells where pictures stand."""
    messages = chat_messages(judged.light)
    answers = [at for at, role in enumerate(messages.fields["role"]) if role == "assistant"]
    if not answers:
        raise Rejected("nothing_to_learn", "there is no answer")
    if _malformed_turns(messages):
        raise Rejected("malformed_call", "this format has no way to leave one answer out")
    return messages[: answers[-1] + 1]


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


def offered_tools(light: LightTrajectory) -> str | None:
    """The tools as the model was told of them, as JSON; None where there are none, or the prompt spells them out."""
    if light.form == "text" or not light.tools:
        return None
    return f"[{', '.join(_offer_json(bytes(tool)) for tool in light.tools)}]"


def json_arguments(written: str) -> str:
    """Arguments that templates can parse: the exact text if it is a JSON object, otherwise an object that holds it."""
    return written if parse_arguments(written) is not None else canonical({"malformed": written}).decode()


def parse_arguments(written: str) -> dict[str, Json] | None:
    """The arguments as any JSON parser would read them; None when they are malformed: nested deeper than readers
    can call themselves, half a character, or a number larger than they can hold."""
    try:
        arguments = _decode_object(written)
    except (ValueError, RecursionError):
        return None
    return arguments if not _MANY_DIGITS.search(written) or _fits_64_bits(arguments) else None


def _fits_64_bits(value: Any) -> bool:
    """Whether no whole number within is larger than what readers of JSON can hold."""
    if isinstance(value, dict | list):
        return all(map(_fits_64_bits, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def has_malformed_call(turn: Message) -> bool:
    """Whether a turn holds a call that nobody should learn to write."""
    return any(call["function"]["arguments"].startswith(MALFORMED) for call in turn["tool_calls"] or ())


def _malformed_turns(messages: Columns[Message]) -> Set[int]:
    """The places of the turns with a malformed call. There seldom is one, and that is seen without looking at turns."""
    calls = cast(Lists[Call], messages.fields["tool_calls"])
    arguments = cast(Columns[Function], calls.rows.fields["function"]).fields["arguments"]
    if not any(text.startswith(MALFORMED) for text in cast(Sequence[str], arguments)):
        return frozenset()
    return {at for at, turn in enumerate(messages) if has_malformed_call(turn)}


@lru_cache
def _offer_json(tool: bytes) -> str:
    return json.dumps(tool_schema(ToolSpec.model_validate_json(tool)), ensure_ascii=False)
