"""Axolotl: messages with a flag on every turn that says whether it is trained on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import Judged
from crucible.parts import exporter
from crucible.shards.columns import Columns
from exporters.messages import Call, offered_tools, split_samples


class Turn(TypedDict):
    """One turn, and whether it is trained on."""

    role: str
    content: str
    reasoning_content: str | None
    tool_calls: list[Call] | None
    tool_call_id: str | None
    training: bool


class Row(TypedDict):
    """One sample."""

    messages: Columns[Turn]
    tools: str | None


@exporter("axolotl")
def axolotl(judged: Judged) -> Iterator[Row]:
    """Axolotl `chat_template`, a row for each user turn: train with message_field_training: training.

    Trained are the turns whose `training` is true: the answers after the last user message, thinking and calls
    included. Every answer of an attempt is trained in one row only, but for calls that are not JSON. Set
    `roles_to_train: []` and `train_on_eos: turn` as well.
    Llama 3.1's template takes one call in an answer: export with --one-call-per-turn. DeepSeek-V3's takes arguments as
    text only, and raises.
    """
    for sample in split_samples(judged):
        yield {
            "messages": Columns({**sample.messages.fields, "training": sample.flags}),
            "tools": offered_tools(judged.light),
        }
