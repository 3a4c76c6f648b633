"""A question as the messages of an OpenAI-compatible endpoint. Thinking goes back as `reasoning_content`.

Pictures are parts of a user's message, as data URLs. Endpoints take no picture in the answer to a call, so those that
calls returned follow in one message of the user.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from crucible.acting import Ask
from crucible.errors import TeacherError
from crucible.model import Step, ToolCall
from crucible.pictures import LARGEST_BYTES, data_uri
from crucible.record import canonical

Message = dict[str, Any]

CALLED_PICTURES = "The pictures that these calls returned:"
"""What is said before pictures that came back from calls."""
PICTURE_CHARACTERS = 4_500
"""What a picture counts for in an estimate of costs: about 1,500 tokens."""


def to_messages(ask: Ask) -> list[Message]:
    """The system prompt, the task and every step so far, thinking included."""
    prompt = _message("user", ask.prompt, [ask.pictures[digest] for digest in ask.images])
    steps = (message for step in ask.steps for message in _step_messages(step, ask))
    return [_message("system", ask.system), prompt, *steps]


def count_characters(messages: Sequence[Message]) -> int:
    """About how many characters the messages cost; the bytes of a picture say nothing about its price."""
    texts = [{**message, "content": _text_content(message["content"])} for message in messages]
    pictures: int = sum(part["type"] == "image_url" for message in messages for part in _parts(message["content"]))
    return len(canonical(texts)) + pictures * PICTURE_CHARACTERS


def _step_messages(step: Step, ask: Ask) -> Iterator[Message]:
    """The answer of one step, and what came back: to each call, or in one piece where calls are written as text."""
    yield _assistant_message(step, ask.form)
    pictures = [ask.pictures[digest] for observation in step.observations for digest in observation.images]
    if ask.form == "text":
        yield from _user_messages("\n\n".join(observation.content for observation in step.observations), pictures)
        return
    for observation in step.observations:
        if observation.call_id:
            yield {"role": "tool", "tool_call_id": observation.call_id, "content": observation.content}
        else:
            yield from _user_messages(observation.content)
    if pictures:
        yield _message("user", CALLED_PICTURES, pictures)


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


def _user_messages(content: str, pictures: Sequence[bytes] = ()) -> Iterator[Message]:
    """One message of the user, or none where there is nothing to say."""
    if content or pictures:
        yield _message("user", content, pictures)


def _message(role: str, content: str, pictures: Sequence[bytes] = ()) -> Message:
    """A message: plain text, or parts where there are pictures."""
    if not pictures:
        return {"role": role, "content": content}
    images = [{"type": "image_url", "image_url": {"url": _picture_url(data)}} for data in pictures]
    return {"role": role, "content": [{"type": "text", "text": content}, *images]}


def _picture_url(data: bytes) -> str:
    if url := data_uri(data, LARGEST_BYTES):
        return url
    raise TeacherError(f"a picture of {len(data)} bytes is no PNG, JPEG, WebP or GIF that an endpoint takes")


def _parts(content: str | list[Message]) -> list[Message]:
    return content if isinstance(content, list) else []


def _text_content(content: str | list[Message]) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
