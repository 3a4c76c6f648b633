"""Axolotl: messages with a flag on every turn that says whether it is trained on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import Judged
from crucible.parts import exporter
from crucible.shards.columns import Columns
from exporters.messages import Call, Sample, has_malformed_call, offered_tools, split_samples


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
    tools: str
    task_id: str
    trajectory_id: str
    sample: int


@exporter("axolotl")
def axolotl(judged: Judged) -> Iterator[Row]:
    """Axolotl `chat_template`: messages with a per-turn `training` flag (message_field_training)."""
    for sample in split_samples(judged):
        yield {
            "messages": _turns(sample),
            "tools": offered_tools(judged.light),
            "task_id": judged.task_id,
            "trajectory_id": judged.trajectory_id,
            "sample": sample.number,
        }


def _turns(sample: Sample) -> Columns[Turn]:
    """Trained are the assistant's turns after the last user message, but for calls that are not JSON."""
    training = [
        at >= sample.prompt and turn["role"] == "assistant" and not has_malformed_call(turn)
        for at, turn in enumerate(sample.messages)
    ]
    return Columns({**sample.messages.fields, "training": training})
