"""TRL's format for models that see: turns are lists of parts, and the pictures are a column.

It is a format of its own because TRL takes any dataset with a column `images` for one of a model that sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import Judged
from crucible.mining import BlobStore
from crucible.parts import exporter
from exporters.messages import Call, Message, offered_tools, split_samples
from exporters.pictures import PictureFile, pack_pictures, pictures_by_turn


class Part(TypedDict):
    """A text, or the place of a picture."""

    type: str
    text: str | None


class SeenMessage(TypedDict):
    """One turn."""

    role: str
    content: list[Part]
    reasoning_content: str | None
    tool_calls: list[Call] | None
    tool_call_id: str | None


class SeenConversation(TypedDict):
    """One sample."""

    messages: list[SeenMessage]
    images: list[PictureFile]
    tools: str
    task_id: str
    trajectory_id: str
    sample: int


@exporter("trl-vision", needs=("blobs",))
def trl_vision(judged: Judged, *, blobs: BlobStore) -> Iterator[SeenConversation]:
    """TRL conversations for models that see: parts in `messages`, pictures in `images`."""
    pictures = pictures_by_turn(judged)
    for sample in split_samples(judged, pictures=True):
        yield {
            "messages": [_seen_message(turn, len(pictures.get(at, ()))) for at, turn in enumerate(sample.messages)],
            "images": pack_pictures(pictures, len(sample.messages), blobs),
            "tools": offered_tools(judged.light),
            "task_id": judged.task_id,
            "trajectory_id": judged.trajectory_id,
            "sample": sample.number,
        }


def _seen_message(message: Message, pictures: int) -> SeenMessage:
    """The turn with its text as a part, and a place for each of its pictures."""
    places: list[Part] = [{"type": "image", "text": None}] * pictures
    return {
        "role": message["role"],
        "content": [{"type": "text", "text": message["content"]}, *places],
        "reasoning_content": message["reasoning_content"],
        "tool_calls": message["tool_calls"],
        "tool_call_id": message["tool_call_id"],
    }
