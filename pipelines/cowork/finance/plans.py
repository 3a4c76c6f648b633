"""Plans: which tools are called with what, and the question that their outcome answers (`plans/*.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from pydantic import Field

from crucible.record import Json, Record
from pipelines.cowork.finance.tables import RESTATED, Table, Unreadable


class Drawn(Record):
    """How something that the question says is chosen. One of these ways."""

    among: tuple[Json, ...] = ()
    """One of a list."""
    between: tuple[float, float] | None = None
    """A number between two, in whole `step`s."""
    column: str = ""
    """A column of the file in this role; a row likewise."""
    row: str = ""
    least: int = 0
    """How many columns or rows stand before it."""
    of: str = ""
    """Instead of any: the one that stands `step` further than another that was drawn."""
    step: float = 1
    percent: bool = False
    """Whether the question shows it in percent."""
    label: str = ""
    """What a workbook calls it that has it as an input."""


class Step(Record):
    """One call: inputs are `role:row@column`, `role:path` for JSON, `=call` for what an earlier call gave, `$name` for
    what the question says, or a list of these. Rows and columns may be `first..last`, or `*` for all."""

    id: str
    tool: str
    inputs: dict[str, str | list[str]]


class Plan(Record):
    """What is asked, and how it is found out."""

    name: str
    needs: tuple[str, ...]
    """The roles of the files that it reads."""
    draws: dict[str, Drawn] = Field(default_factory=dict)
    steps: tuple[Step, ...] = Field(min_length=1)
    exact: str
    """The question with the lines of the files and the way named."""
    plain: str
    """The question in words of business, which leave one answer all the same."""
    unit: str
    scale: float = 1.0
    """By what the last call's output is multiplied to be in the unit: 100 for percent."""
    decimals: int = 2
    signed: bool = False
    """Whether the answer may be below nothing; a question for which that makes no sense is not asked."""


@cache
def list_plans() -> tuple[Plan, ...]:
    """All plans, in the order of their files."""
    files = sorted((Path(__file__).parent / "plans").glob("*.toml"))
    return tuple(
        Plan.model_validate(each) for file in files for each in tomllib.loads(file.read_text(encoding="utf-8"))["plan"]
    )


def find_plan(name: str) -> Plan:
    return next(plan for plan in list_plans() if plan.name == name)


@cache
def read_tool_facts() -> dict[str, dict[str, str]]:
    """What a question says of a tool, and its formula in a workbook, by the tool's name (`tools.toml`)."""
    return tomllib.loads(Path(__file__).with_name("tools.toml").read_text(encoding="utf-8"))


def draw_values(plan: Plan, tables: Mapping[str, Table], draw: Random) -> dict[str, Json]:
    """What the question says, by name. Unreadable when a file has too few columns or rows."""
    found: dict[str, Json] = {}
    for name, drawn in plan.draws.items():
        found[name] = _draw_value(drawn, tables, found, draw)
    return found


def _draw_value(drawn: Drawn, tables: Mapping[str, Table], found: Mapping[str, Json], draw: Random) -> Json:
    if drawn.among:
        return draw.choice(drawn.among)
    if drawn.between:
        low, high = drawn.between
        value = low + drawn.step * draw.randint(0, round((high - low) / drawn.step))
        return int(value) if drawn.step == int(drawn.step) else round(value, 10)
    table = tables[drawn.column or drawn.row]
    rows = [row for row in table.rows if not row.endswith(RESTATED)]
    labels = [column for column in table.columns if column != "note"] if drawn.column else rows
    if drawn.of:
        at = labels.index(str(found[drawn.of])) + int(drawn.step)
        if 0 <= at < len(labels):
            return labels[at]
    elif len(labels) > drawn.least:
        others = [label for label in labels[drawn.least :] if label not in found.values()]
        if others:
            return draw.choice(others)
    raise Unreadable(f"too few {'columns' if drawn.column else 'rows'}")


def show_values(plan: Plan, values: Mapping[str, Json]) -> dict[str, str]:
    """What the question says, as it says it."""
    return {name: show_value(value, plan.draws[name].percent) for name, value in values.items()}


def show_value(value: Any, percent: bool = False) -> str:
    """A value as people write it."""
    if isinstance(value, str):
        return value
    return f"{round(value * 100, 6):g}%" if percent else f"{value:,.10g}"
