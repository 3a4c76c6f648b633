"""prime-rl: whole conversations and tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import Judged
from crucible.parts import exporter
from crucible.shards.columns import Columns
from exporters.messages import Message, offered_tools, whole_conversation
from exporters.pictures import refuse_pictures


class Conversation(TypedDict):
    """One attempt; what it was worth is told by the columns that every row has."""

    messages: Columns[Message]
    tools: str | None


@exporter("prime-rl", rewards=True)
def prime_rl(judged: Judged) -> Iterator[Conversation]:
    """prime-rl SFT, a row for each attempt: its default loss_mask trains every answer once.

    Trained is every answer, thinking and calls included; where several users spoke, the renderer decides whether the
    thinking before the last of them is shown. Attempts with a call that is not JSON are left out: nothing masks one
    answer. With `--judged` failed attempts go in too, each with its reward and its group.
    """
    refuse_pictures(judged)
    yield {"messages": whole_conversation(judged), "tools": offered_tools(judged.light)}
