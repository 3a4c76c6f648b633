"""What is wrong with a task that a model wrote, as data for its repair."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from crucible.errors import Rejected
from crucible.record import Record

DETAIL_CHARS = 600
"""Of a longer detail the model is shown the beginning."""


class Problem(Record):
    """One thing that is wrong."""

    reason: str
    """The code that the funnel would count it under."""
    detail: str = ""

    @property
    def line(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason


class Flawed(Exception):
    """A task that a model wrote, and that does not hold."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(problem.line for problem in problems))
        self.problems = tuple(problems)

    @classmethod
    def of(cls, fault: Rejected) -> Flawed:
        """A drop by the rules, as something to be put right."""
        return cls([Problem(reason=fault.reason, detail=fault.detail)])


def describe_problems(problems: Sequence[Problem]) -> str:
    """The problems as JSON, each with what to do about it."""
    rows = [
        {"problem": each.reason, "detail": each.detail[:DETAIL_CHARS], "remedy": _remedies().get(each.reason, "")}
        for each in problems
    ]
    return json.dumps(rows, indent=1, ensure_ascii=False)


@cache
def _remedies() -> Mapping[str, str]:
    table = tomllib.loads(Path(__file__).with_name("problems.toml").read_text("utf-8"))
    remedies: Mapping[str, str] = table["remedies"]
    return remedies
