"""Chat messages as JSON text, one each: what a message has not is not in it, and the arguments of calls are objects.

Arrow would fill in a null for every field that another message has, and templates take a field that is there for one
that means something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from exporters.messages import Call, Message

_encode = msgspec.json.Encoder().encode


def json_messages(messages: Iterable[Message]) -> list[str]:
    """The messages, each as JSON. Arguments are as the teacher wrote them."""
    return [_object(message, _text(message["content"])) for message in messages]


def json_messages_with_pictures(messages: Iterable[Message], pictures: Mapping[int, Sequence[str]]) -> list[str]:
    """The messages, each as JSON: its text is a part, and there is a place for each of its pictures."""
    return [
        _object(message, _parts(message["content"], len(pictures.get(at, ())))) for at, message in enumerate(messages)
    ]


def _parts(text: str, pictures: int) -> str:
    return "[" + ",".join([f'{{"type":"text","text":{_text(text)}}}', *['{"type":"image"}'] * pictures]) + "]"


def _object(message: Message, content: str) -> str:
    return "{" + ",".join(_fields(message, content)) + "}"


def _fields(message: Message, content: str) -> Iterator[str]:
    yield f'"role":"{message["role"]}"'
    if message["reasoning_content"]:
        yield f'"reasoning_content":{_text(message["reasoning_content"])}'
    yield f'"content":{content}'
    if message["tool_calls"]:
        yield f'"tool_calls":[{",".join(map(_call, message["tool_calls"]))}]'
    if message["tool_call_id"]:
        yield f'"tool_call_id":{_text(message["tool_call_id"])}'


def _call(call: Call) -> str:
    function = f'{{"name":{_text(call["function"]["name"])},"arguments":{call["function"]["arguments"]}}}'
    return f'{{"id":{_text(call["id"])},"type":"function","function":{function}}}'


def _text(text: str) -> str:
    return _encode(text).decode()
