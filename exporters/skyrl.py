"""SkyRL: tasks for its RL trainer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import Accepted
from crucible.parts import exporter
from exporters.reward import Extra, Turn, checks, extra, prompt


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


@exporter("skyrl", per="task")
def skyrl(one: Accepted) -> Iterator[Row]:
    """SkyRL: one row per solved task; the environment class is `crucible`."""
    yield {
        "prompt": prompt(one),
        "env_class": "crucible",
        "reward_spec": {"method": "rule", "ground_truth": checks(one)},
        "extra_info": extra(one),
    }
