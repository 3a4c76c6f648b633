"""SkyRL: tasks for its RL trainer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import Judged
from crucible.parts import exporter
from exporters.reward import Extra, Turn, extra_info, prompt_turns, task_json


class RewardSpec(TypedDict):
    """What the environment opens and judges by: the task."""

    method: str
    ground_truth: str


class Row(TypedDict):
    """One task."""

    prompt: list[Turn]
    env_class: str
    reward_spec: RewardSpec
    extra_info: Extra


@exporter("skyrl", per="task", unsolved=True, rewards=True)
def skyrl(judged: Judged) -> Iterator[Row]:
    """SkyRL: one row per task, solved or not; train with train_with_skyrl.py, which registers the environment.

    The policy acts in boxes that `crucible episodes` opens, calls its tools in fenced blocks of its text, and gets the
    reward of our checks. The environment puts the prompt of its scaffold in the place of the row's.
    """
    yield {
        "prompt": prompt_turns(judged),
        "env_class": "crucible",
        "reward_spec": {"method": "rule", "ground_truth": task_json(judged)},
        "extra_info": extra_info(judged),
    }
