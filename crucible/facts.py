"""Facts about a task that come later than the task: each is an item of its own beside it, and none edits it.

A proof is one too (`crucible/proving.py`), and so is a selection (`crucible/model/selection.py`).
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from crucible.record import Record

ANNOTATION = "annotation"
CALIBRATION = "calibration"
COMPARISON = "comparison"
DRAW = "draw"
SAMPLE = "sample"
"""The nouns they are kept under."""


class AnnotationPair(Record):
    """What the rules and a judge say of one raw item, each attribute in a word of a fixed set."""

    pipeline: str
    judge: str
    """Who judged: the service and its settings."""
    by_rules: dict[str, str]
    """What the rules can tell; of an item that they drop they tell little more than why."""
    by_judge: dict[str, str]
    evidence: dict[str, str]
    """What the judge's words rest on."""

    @property
    def disagreements(self) -> tuple[str, ...]:
        """The attributes that the two see differently."""
        both = (name for name in self.by_rules if name in self.by_judge)
        return tuple(name for name in both if self.by_rules[name] != self.by_judge[name])


class Calibration(Record):
    """How often a solver solves a task."""

    task_id: str
    solver: str
    """The teacher that attempted it."""
    session: str
    """The session its attempts belong to."""
    attempts: int
    """So many were judged; what could not be judged does not count."""
    passed: int
    pass_rate: float
    low: float
    high: float
    """Wilson's interval for the rate, at 95 per cent."""
    band: str
    """`too_easy`, `usable` or `never`, by the bands of the settings."""
    errors: int = 0
    """Attempts that could not be judged."""
    hint_level: int = 0
    repair_rounds: int = 0
    """As the task's difficulty has them, so that rates can be held against them."""
    triage: Literal["", "broken", "hard"] = ""
    """What a task that was never solved is held to be."""
    evidence: tuple[str, ...] = ()
    """What that rests on."""


class Comparison(Record):
    """Which of two attempts at a task a judge holds to be the better one, on one axis."""

    task_id: str
    axis: Literal["trajectory", "artifact"]
    """How it was done, or what came of it."""
    first: str
    second: str
    """The ids of the attempts, the smaller one first, whatever the order they were shown in."""
    better: Literal["first", "second", "neither"]
    evidence: str
    judge: str
    """Who judged: the service and its settings."""


class Draw(Record):
    """Whether a task is in the sample that was drawn last."""

    task_id: str
    sample: str
    """The id of the sample."""
    category: str
    difficulty: str
    kept: bool
    why: str = ""
    """Why it is not: `too_easy`, `broken`, `same_source`, or `surplus`."""


class SampleRow(Record):
    """One category, or one difficulty, of a sample: what was wanted of it, and what there was."""

    axis: Literal["category", "difficulty"]
    name: str
    wanted: float
    """So many of the sample's tasks, by its share."""
    drawn: int
    there: int
    """How many could have been drawn."""


class Sample(Record):
    """Tasks that were drawn to a target."""

    pipeline: str
    target: str
    """The file that says what was wanted."""
    seed: int
    size: int
    """How many were asked for."""
    drawn: int
    left: dict[str, int] = Field(default_factory=dict)
    """How many were not drawn, by reason: `same_source` as another, `surplus` to what was wanted, too easy, broken."""
    rows: tuple[SampleRow, ...] = ()
