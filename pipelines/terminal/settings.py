"""The settings of the terminal pipeline: who writes tasks beside the rules, and whose word counts at selection."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from crucible.record import Record
from crucible.settings import Settings, section


@section("terminal")
class TerminalSettings(Record):
    """Who makes tasks of threads. Without a teacher, rules do all of it."""

    teacher: str = ""
    """The teacher that writes and rewords tasks, such as `openai`; empty: nobody."""
    writer: Literal["rules", "fallback", "model", "both"] = "fallback"
    """`rules`: answers are executed, and nobody else writes. `fallback`: the teacher writes where the rules can make no
    task. `model`: the teacher writes all. `both`: both write, and the two best drafts are kept."""
    rounds: int = Field(default=3, ge=0)
    """How often a task that the teacher wrote is given back to it, with what is wrong about it."""
    usd: float = Field(default=0.5, ge=0)
    """What writing the task of one thread may cost, and wording its levels as much again."""
    levels: Literal["rules", "model"] = "rules"
    """Who words the goal for the levels of hints: the rules, or the teacher, with the rules where it does not do."""
    judge_may: Literal["record", "decide"] = "record"
    """Where a judge is set: `record`: its answers on a thread are kept beside the rules'. `decide`: a criterion that it
    denies drops the thread too."""


def writer_name(settings: Settings) -> str:
    """The name of the teacher that the stages are handed; empty: nobody."""
    return settings.section(TerminalSettings).teacher
