"""Chat messages as JSON text, one each: what a message has not is not in it, and the arguments of calls are objects.

Arrow would fill in a null for every field that another message has, and templates take a field that is there for one
that means something.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, cast

import msgspec

from crucible.shards.columns import Columns, Lists
from exporters.messages import Call, Message

Content = str | list[dict[str, str]]
_encode = msgspec.json.Encoder().encode


class JsonFunction(msgspec.Struct, gc=False):
    """What is called; the arguments are as the teacher wrote them."""

    name: str
    arguments: msgspec.Raw


class JsonCall(msgspec.Struct, gc=False):
    """A tool call."""

    id: str
    type: str
    function: JsonFunction


class JsonMessage(msgspec.Struct, kw_only=True, omit_defaults=True, gc=False):
    """One turn, in the order in which its fields are written."""

    role: str
    reasoning_content: str | None = None
    content: Content
    tool_calls: list[JsonCall] | None = None
    tool_call_id: str | None = None


def json_messages(messages: Columns[Message]) -> list[str]:
    """The messages, each as JSON."""
    return _encode_messages(messages, cast(Sequence[str], messages.fields["content"]))


def json_messages_with_pictures(messages: Columns[Message], pictures: Mapping[int, Sequence[str]]) -> list[str]:
    """The messages, each as JSON: its text is a part, and there is a place for each of its pictures."""
    texts = cast(Sequence[str], messages.fields["content"])
    return _encode_messages(messages, [_parts(text, len(pictures.get(at, ()))) for at, text in enumerate(texts)])


def _parts(text: str, pictures: int) -> Content:
    return [{"type": "text", "text": text}, *[{"type": "image"}] * pictures]


def _encode_messages(messages: Columns[Message], contents: Sequence[Content]) -> list[str]:
    """Field by field, as they are held: that takes half the time of going through mappings."""
    fields = cast(dict[str, Sequence[Any]], messages.fields)
    turns = zip(
        fields["role"],
        fields["reasoning_content"],
        contents,
        _json_calls(cast(Lists[Call], fields["tool_calls"])),
        fields["tool_call_id"],
        strict=True,
    )
    return [
        _encode(
            JsonMessage(role=role, reasoning_content=thought, content=content, tool_calls=calls, tool_call_id=answered)
        ).decode()
        for role, thought, content, calls, answered in turns
    ]


def _json_calls(calls: Lists[Call]) -> Iterator[list[JsonCall] | None]:
    """The calls of each message; None where it has none."""
    rows = cast(dict[str, Any], calls.rows.fields)
    functions = rows["function"].fields
    every = zip(rows["id"], functions["name"], functions["arguments"], strict=True)
    for count in calls.lengths:
        yield [
            JsonCall(id, "function", JsonFunction(name, msgspec.Raw(arguments.encode())))
            for id, name, arguments in islice(every, count)
        ] or None
