"""SkyRL: tasks for its RL trainer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import Judged
from crucible.parts import exporter
from exporters.reward import Extra, Turn, checks_json, extra_info, prompt_turns


class RewardSpec(TypedDict):
    """How the environment is to judge."""

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
    """SkyRL: one row per task, solved or not; the environment class is `crucible`."""
    yield {
        "prompt": prompt_turns(judged),
        "env_class": "crucible",
        "reward_spec": {"method": "rule", "ground_truth": checks_json(judged)},
        "extra_info": extra_info(judged),
    }
