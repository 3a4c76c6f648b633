"""prime-rl: messages and tools, both plain Parquet, each conversation with its reward and its group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import Judged
from crucible.parts import exporter
from crucible.shards.columns import Columns
from exporters.messages import Message
from exporters.trl import trl


class ScoredConversation(TypedDict):
    """One sample, and what the attempt it is from was worth."""

    messages: Columns[Message]
    tools: str
    task_id: str
    trajectory_id: str
    sample: int
    group: str
    reward: float


@exporter("prime-rl", rewards=True)
def prime_rl(judged: Judged) -> Iterator[ScoredConversation]:
    """prime-rl: `messages`, and `tools` as JSON text; with `--judged` failed attempts too, by group and reward."""
    for row in trl(judged):
        yield {**row, "group": judged.group, "reward": judged.reward}
