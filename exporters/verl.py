"""verl: conversations for its SFT trainer, tasks for its RL trainer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import Judged
from crucible.parts import exporter
from crucible.shards.columns import Columns
from exporters.messages import Message, offered_tools, split_samples
from exporters.reward import Extra, Turn, checks_json, extra_info, prompt_turns


class Conversation(TypedDict):
    """One sample."""

    messages: Columns[Message]
    tools: str
    enable_thinking: bool
    task_id: str
    trajectory_id: str
    sample: int


class RewardModel(TypedDict):
    """How verl's reward function is to judge."""

    style: str
    ground_truth: str


class Prompt(TypedDict):
    """One task."""

    data_source: str
    prompt: list[Turn]
    ability: str
    reward_model: RewardModel
    extra_info: Extra


@exporter("verl-sft")
def verl_sft(judged: Judged) -> Iterator[Conversation]:
    """verl SFT: `messages`, `tools`, `enable_thinking` where there is any thinking to learn."""
    for sample in split_samples(judged):
        yield {
            "messages": sample.messages,
            "tools": offered_tools(judged.light),
            "enable_thinking": any(sample.messages.fields["reasoning_content"][sample.prompt :]),
            "task_id": judged.task_id,
            "trajectory_id": judged.trajectory_id,
            "sample": sample.number,
        }


@exporter("verl-rl", per="task", unsolved=True, rewards=True)
def verl_rl(judged: Judged) -> Iterator[Prompt]:
    """verl RL: one row per task, solved or not; the ground truth is its checks."""
    yield {
        "data_source": f"crucible/{judged.task.domain}",
        "prompt": prompt_turns(judged),
        "ability": judged.task.kind,
        "reward_model": {"style": "rule", "ground_truth": checks_json(judged)},
        "extra_info": extra_info(judged),
    }
