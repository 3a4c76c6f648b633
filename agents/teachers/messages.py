"""A question as the messages of an OpenAI-compatible endpoint. Thinking goes back as `reasoning_content`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crucible.acting import Ask
from crucible.model import Step, ToolCall
from crucible.record import canonical

Message = dict[str, Any]


def to_messages(ask: Ask) -> list[Message]:
    """The system prompt, the task and every step so far, thinking included."""
    first = [_message("system", ask.system), _message("user", ask.prompt)]
    return [*first, *(message for step in ask.steps for message in _step_messages(step, ask.form))]


def _step_messages(step: Step, form: str) -> Iterator[Message]:
    """The answer of one step, and what came back: to each call, or in one piece where calls are written as text."""
    yield _assistant_message(step, form)
    if form == "text":
        yield from _user_messages("\n\n".join(observation.content for observation in step.observations))
        return
    for observation in step.observations:
        if observation.call_id:
            yield {"role": "tool", "tool_call_id": observation.call_id, "content": observation.content}
        else:
            yield from _user_messages(observation.content)


def _assistant_message(step: Step, form: str) -> Message:
    message: Message = {"role": "assistant", "content": step.text}
    if step.thinking:
        message["reasoning_content"] = step.thinking
    if step.calls and form == "native":
        message["tool_calls"] = [_tool_call(call) for call in step.calls]
    return message


def _tool_call(call: ToolCall) -> Message:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": _well_formed_arguments(call)},
    }


def _well_formed_arguments(call: ToolCall) -> str:
    """A call's arguments, wrapped if they are malformed: endpoints parse them and would refuse the whole history."""
    try:
        call.mapping()
    except ValueError:
        return canonical({"malformed": call.arguments}).decode()
    return call.arguments


def _user_messages(content: str) -> Iterator[Message]:
    """One message of the user, or none where there is nothing to say."""
    if content:
        yield _message("user", content)


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}
