"""How tasks are drawn to a target: a file with the shares of categories and difficulties. Same seed, same tasks."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import Field, ValidationError

from crucible.errors import SettingsError
from crucible.facts import Calibration, SampleRow
from crucible.model import Task
from crucible.record import Record, digest

UNKNOWN = "unknown"


class Target(Record):
    """What a sample should be like. Shares are weights."""

    label: str = "category"
    """The task's label that names its category."""
    category: dict[str, float] = Field(min_length=1)
    difficulty: dict[str, float] = Field(min_length=1)
    rates: dict[str, float] = Field(default_factory=dict)
    """The least pass rate of each difficulty, where a solver was measured."""
    hints: dict[str, str] = Field(default_factory=dict)
    """The difficulty of each hint level, where none was."""
    per_source: int = Field(default=1, ge=1)
    """At most so many tasks that come from one source."""

    def shares(self, axis: str) -> dict[str, float]:
        """The shares of an axis, as parts of one."""
        weights = self.category if axis == "category" else self.difficulty
        whole = sum(weights.values()) or 1.0
        return {name: weight / whole for name, weight in weights.items()}

    def difficulty_of(self, task: Task, calibration: Calibration | None) -> str:
        """How hard a task is: as measured, else as its hints say."""
        if calibration is None:
            return self.hints.get(str(task.difficulty.hint_level), UNKNOWN)
        met = [(least, name) for name, least in self.rates.items() if calibration.pass_rate >= least]
        return max(met, default=(0.0, UNKNOWN))[1]


def read_target(file: Path) -> Target:
    """The target that a file says; SettingsError when it says none."""
    try:
        return Target.model_validate(tomllib.loads(file.read_text("utf-8")))
    except OSError as missing:
        raise SettingsError(f"the target {file} cannot be read: {missing.strerror}", "name one with --target") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValidationError) as wrong:
        raise SettingsError(f"the target {file}: {wrong}") from None


class Candidate(NamedTuple):
    """A task that may be drawn, with its place in the target."""

    task_id: str
    source: str
    category: str
    difficulty: str


def draw(candidates: Sequence[Candidate], target: Target, size: int, seed: int) -> dict[str, str]:
    """For each task why it is not drawn, empty where it is. One after the other is taken from where most is missing;
    where nothing is left of what is wanted, from what there is of the rest of the target."""
    waiting: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for each in sorted(candidates, key=lambda each: digest(seed, each.task_id)):
        waiting[each.category, each.difficulty].append(each)
    shares = {axis: target.shares(axis) for axis in ("category", "difficulty")}
    taken: Counter[tuple[str, str]] = Counter()
    sources: Counter[str] = Counter()
    fates = {each.task_id: "surplus" for each in candidates}
    while taken.total() < size and (cell := _neediest_cell(waiting, taken, shares, size)):
        each = waiting[cell].pop(0)
        if sources[each.source] == target.per_source:
            fates[each.task_id] = "same_source"
            continue
        fates[each.task_id] = ""
        taken[cell] += 1
        sources[each.source] += 1
    return fates


def _neediest_cell(
    waiting: Mapping[tuple[str, str], Sequence[Candidate]],
    taken: Counter[tuple[str, str]],
    shares: Mapping[str, Mapping[str, float]],
    size: int,
) -> tuple[str, str] | None:
    """The category and difficulty that lack most of their shares together; None when nothing wanted is left."""

    def lack(cell: tuple[str, str]) -> float:
        category, difficulty = cell
        by_category = sum(n for (name, _), n in taken.items() if name == category)
        by_difficulty = sum(n for (_, name), n in taken.items() if name == difficulty)
        return size * (shares["category"][category] + shares["difficulty"][difficulty]) - by_category - by_difficulty

    wanted = [
        cell
        for cell, candidates in sorted(waiting.items())
        if candidates and shares["category"].get(cell[0]) and shares["difficulty"].get(cell[1])
    ]
    return max(wanted, key=lack, default=None)


def count_rows(
    candidates: Sequence[Candidate], fates: Mapping[str, str], target: Target, size: int
) -> tuple[SampleRow, ...]:
    """For each category and difficulty what was wanted, drawn and there."""
    rows = []
    for axis in ("category", "difficulty"):
        there = Counter(getattr(each, axis) for each in candidates)
        drawn = Counter(getattr(each, axis) for each in candidates if not fates[each.task_id])
        shares = target.shares(axis)
        for name in [*shares, *sorted(there.keys() - shares.keys())]:
            wanted = round(size * shares.get(name, 0.0), 1)
            rows.append(SampleRow(axis=axis, name=name, wanted=wanted, drawn=drawn[name], there=there[name]))
    return tuple(rows)
