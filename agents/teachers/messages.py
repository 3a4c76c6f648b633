"""A question as the messages of an OpenAI-compatible endpoint. Thinking goes back as `reasoning_content`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crucible.acting import Ask
from crucible.model import Step, ToolCall
from crucible.record import canonical

Message = dict[str, Any]


def messages(ask: Ask) -> list[Message]:
    """The whole history, thinking included."""
    first = [_message("system", ask.system), _message("user", ask.prompt)]
    return [*first, *(message for step in ask.steps for message in _step(step, ask.form))]


def _step(step: Step, form: str) -> Iterator[Message]:
    yield _answer(step, form)
    if form == "text":
        yield from _user("\n\n".join(one.content for one in step.observations))
        return
    for one in step.observations:
        if one.call_id:
            yield {"role": "tool", "tool_call_id": one.call_id, "content": one.content}
        else:
            yield from _user(one.content)


def _answer(step: Step, form: str) -> Message:
    said: Message = {"role": "assistant", "content": step.text}
    if step.thinking:
        said["reasoning_content"] = step.thinking
    if step.calls and form == "native":
        said["tool_calls"] = [_call(call) for call in step.calls]
    return said


def _call(call: ToolCall) -> Message:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": _arguments(call)}}


def _arguments(call: ToolCall) -> str:
    """Endpoints parse the arguments of the history and refuse all of it when they are malformed."""
    try:
        call.mapping()
    except ValueError:
        return canonical({"malformed": call.arguments}).decode()
    return call.arguments


def _user(content: str) -> Iterator[Message]:
    if content:
        yield _message("user", content)


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}
