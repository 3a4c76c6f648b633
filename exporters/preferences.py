"""Preference pairs for DPO: where an attempt that passed and one that failed part, the answers of both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.errors import Rejected
from crucible.exporting import JsonText, Judged
from crucible.parts import exporter
from crucible.shards.columns import Columns
from exporters.json_messages import json_messages
from exporters.messages import Message, chat_messages, has_malformed_call, offered_tools
from exporters.pictures import refuse_pictures


class Preference(TypedDict):
    """One pair."""

    prompt: list[JsonText]
    chosen: list[JsonText]
    rejected: list[JsonText]
    tools: JsonText | None
    rejected_trajectory_id: str
    rejected_reward: float


@exporter("trl-dpo", pairs=True)
def trl_dpo(judged: Judged) -> Iterator[Preference]:
    """TRL DPO pairs, a row for each: what an attempt that passed answered where one that failed answered otherwise.

    Trained are `chosen` and `rejected`, one answer each: DPO masks no tool results, so that what follows is left out.
    Both attempts are at the same task under the same prompt, each is in one pair only, and what both have in common is
    the prompt. The other columns tell of the attempt that passed.
    Llama 3.1's template takes one call in an answer: export with --one-call-per-turn. DeepSeek-V3's takes arguments as
    text only, and raises.
    """
    rival = judged.rival
    if rival is None:
        raise Rejected("without_rival", "there is nothing to prefer it to")
    refuse_pictures(judged)
    refuse_pictures(rival)
    passed, failed = chat_messages(judged.light), chat_messages(rival.light)
    parting = _find_parting(passed, failed)
    yield {
        "prompt": json_messages(passed[:parting]),
        "chosen": json_messages(passed[parting : parting + 1]),
        "rejected": json_messages(failed[parting : parting + 1]),
        "tools": offered_tools(judged.light),
        "rejected_trajectory_id": rival.trajectory_id,
        "rejected_reward": rival.reward,
    }


def _find_parting(passed: Columns[Message], failed: Columns[Message]) -> int:
    """The place of the first message in which two attempts differ. Rejected where that is no answer of the agent, or
    one that nobody should learn to prefer."""
    for at, (one, other) in enumerate(zip(passed, failed, strict=False)):
        if one == other:
            continue
        if has_malformed_call(one):
            raise Rejected("malformed_call", "nobody should learn to prefer it")
        if one["role"] == other["role"] == "assistant":
            return at
        break
    raise Rejected("no_other_answer", "the attempts do not part where the agent answers")
