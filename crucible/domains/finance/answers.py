"""One answer in a JSON file: a number and its unit. The parameters of the verifier `answer`, and how a file is read."""

from __future__ import annotations

import json
from typing import NamedTuple

from pydantic import Field

from crucible.record import Record

LARGEST = 1e300
"""No answer is larger; a whole number of more digits cannot be compared with one that is none."""


class AnswerParams(Record):
    """What is asked of the answer that an attempt leaves."""

    path: str = "answer.json"
    """Where it lies; a relative path is below the workdir."""
    value: float
    unit: str
    tolerance: float = Field(gt=0)
    """How far the value may be off: half of the last place that is asked for."""


class Answer(NamedTuple):
    """What a file says."""

    value: float
    unit: str


class NoAnswer(ValueError):
    """A file is not one answer; says why in one line."""


def read_answer(data: bytes) -> Answer:
    """The answer of a file: exactly one number and one unit. NoAnswer for anything else, such as several numbers of
    which one might be right."""
    try:
        found = json.loads(data, object_pairs_hook=_require_single, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as fault:  # bytes that are no text, no JSON, a number of too many digits
        raise NoAnswer(str(fault)[:200]) from None
    if not isinstance(found, dict) or found.keys() != {"value", "unit"}:
        raise NoAnswer("not an object with value and unit, and nothing else")
    value, unit = found["value"], found["unit"]
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise NoAnswer(f"the value is no number that can be: {str(value)[:80]}")
    if not isinstance(unit, str):
        raise NoAnswer("the unit is no text")
    return Answer(float(value), unit)


def _require_single(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object that names nothing twice: readers differ in which of two they believe."""
    if len(dict(pairs)) < len(pairs):
        raise NoAnswer("a name occurs twice")
    return dict(pairs)


def _refuse_constant(name: str) -> float:
    raise NoAnswer(f"the value is no number: {name}")


def is_unit(wanted: str, got: str) -> bool:
    """Whether both name the same unit: blanks and case do not count."""
    return " ".join(wanted.split()).casefold() == " ".join(got.split()).casefold()
