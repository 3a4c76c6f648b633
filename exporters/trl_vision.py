"""TRL's format for models that see: turns are lists of parts, and the pictures are a column.

It is a format of its own because TRL takes any dataset with a column `images` for one of a model that sees, and there
trains on every answer or on all that is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import JsonText, Judged
from crucible.mining import BlobStore
from crucible.parts import exporter
from exporters.json_messages import json_messages_with_pictures
from exporters.messages import offered_tools, whole_conversation
from exporters.pictures import Picture, pack_pictures, pictures_by_turn


class SeenConversation(TypedDict):
    """One attempt."""

    messages: list[JsonText]
    images: list[Picture]
    tools: JsonText | None


@exporter("trl-vision", needs=("blobs",))
def trl_vision(judged: Judged, *, blobs: BlobStore) -> Iterator[SeenConversation]:
    """TRL conversations for models that see, a row for each attempt: train with assistant_only_loss=True.

    Trained is every answer, once. Attempts with a call that is not JSON are left out: TRL has no way to mask it here.
    Train with the script that comes along: TRL itself leaves out pictures that tools return. To models that see it
    shows no tools.
    """
    pictures, messages = pictures_by_turn(judged), whole_conversation(judged)
    yield {
        "messages": json_messages_with_pictures(messages, pictures),
        "images": pack_pictures(pictures, len(messages), blobs),
        "tools": offered_tools(judged.light),
    }
