"""verl: conversations for its SFT trainer, tasks for its RL trainer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict, cast

from crucible.exporting import JsonText, Judged
from crucible.parts import exporter
from exporters.json_messages import json_messages
from exporters.messages import offered_tools, split_samples
from exporters.reward import Extra, Turn, extra_info, prompt_turns, task_json


class Conversation(TypedDict):
    """One sample. Its messages and tools are JSON, which the dataset class that comes along reads."""

    messages: list[JsonText]
    training: list[bool]
    """For every message whether it is trained on."""
    tools: JsonText | None
    enable_thinking: bool


class RewardModel(TypedDict):
    """What verl's reward function opens and judges by: the task."""

    style: str
    ground_truth: str


class Prompt(TypedDict):
    """One task."""

    data_source: str
    prompt: list[Turn]
    ability: str
    reward_model: RewardModel
    agent_name: str
    """The agent loop that has it attempted."""
    extra_info: Extra


@exporter("verl-sft")
def verl_sft(judged: Judged) -> Iterator[Conversation]:
    """verl SFT, a row for each user turn: train with data.custom_cls set to the dataset class that comes along.

    Trained are the messages whose `training` is true: the answers after the last user message, thinking and calls
    included. Every answer of an attempt is trained in one row only, but for calls that are not JSON. verl's own class
    renders every message alone, which loses thinking, and reads no JSON.
    Llama 3.1's template takes one call in an answer: export with --one-call-per-turn. DeepSeek-V3's takes arguments as
    text only, and raises.
    """
    for sample in split_samples(judged):
        thoughts = cast(Sequence[str | None], sample.messages.fields["reasoning_content"])
        yield {
            "messages": json_messages(sample.messages),
            "training": sample.flags,
            "tools": offered_tools(judged.light),
            "enable_thinking": any(thoughts[at] for at in sample.learnt),
        }


@exporter("verl-rl", per="task", unsolved=True, rewards=True)
def verl_rl(judged: Judged) -> Iterator[Prompt]:
    """verl RL: one row per task, solved or not; train with verl-rl.sh, which names the agent loop that comes along.

    The policy acts in boxes that `crucible episodes` opens, with its model's own tool calls, and gets the reward of our
    checks; the tokens of its answers are trained. Where verl runs no agent loop, the function `compute_score` carries
    out the calls that are written in one answer, and judges that.
    """
    yield {
        "data_source": f"crucible/{judged.task.domain}",
        "prompt": prompt_turns(judged),
        "ability": judged.task.kind,
        "reward_model": {"style": "rule", "ground_truth": task_json(judged)},
        "agent_name": "crucible",
        "extra_info": extra_info(judged),
    }
