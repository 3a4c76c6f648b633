"""TRL's conversational formats: whole conversations, or prompt and completion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import Judged
from crucible.parts import exporter
from crucible.shards.columns import Columns
from exporters.messages import Message, offered_tools, split_samples


class Conversation(TypedDict):
    """One sample."""

    messages: Columns[Message]
    tools: str
    task_id: str
    trajectory_id: str
    sample: int


class Completion(TypedDict):
    """One sample, divided where learning begins."""

    prompt: Columns[Message]
    completion: Columns[Message]
    tools: str
    task_id: str
    trajectory_id: str
    sample: int


@exporter("trl")
def trl(judged: Judged) -> Iterator[Conversation]:
    """TRL conversations: `messages` and `tools`; train with assistant_only_loss."""
    for sample in split_samples(judged):
        yield {
            "messages": sample.messages,
            "tools": offered_tools(judged.light),
            "task_id": judged.task_id,
            "trajectory_id": judged.trajectory_id,
            "sample": sample.number,
        }


@exporter("trl-completion")
def trl_completion(judged: Judged) -> Iterator[Completion]:
    """TRL prompt and completion: the loss begins after the last user turn."""
    for sample in split_samples(judged):
        yield {
            "prompt": sample.messages[: sample.prompt],
            "completion": sample.messages[sample.prompt :],
            "tools": offered_tools(judged.light),
            "task_id": judged.task_id,
            "trajectory_id": judged.trajectory_id,
            "sample": sample.number,
        }
