"""What goes from stage to stage in financial modelling, a case and its model; and what a template is."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from pydantic import Field

from crucible.domains.office.sheets.ties import Tie
from crucible.record import Record, digest

TEMPLATES = Path(__file__).parent / "templates"


class ModelCase(Record):
    """The inputs of one model."""

    name: str
    template: str
    title: str
    """Whom it is about."""
    currency: str
    inputs: dict[str, float]
    """By key of the template."""
    licence: str = ""
    author: str = ""

    @property
    def id(self) -> str:
        return f"model-{self.name}-{digest(self)[:8]}"


class FinancialModel(Record):
    """A model that was calculated and ties, and the workbook to be completed to it."""

    case: ModelCase
    given: str
    """The digest of the workbook with inputs and labels."""
    gold: str
    """The digest of the completed one."""
    sheets: tuple[str, ...]
    answers: tuple[str, ...]
    """Areas to be completed."""
    ties: tuple[Tie, ...]
    changes: tuple[dict[str, dict[str, float | str]], ...]
    rules: dict[str, str]
    """What stands in each area: what the instruction says of it."""

    @property
    def id(self) -> str:
        return f"{self.case.id}-0"


class InputLine(Record):
    """One input of a template."""

    key: str
    label: str
    unit: str


class Row(Record):
    """One line of a sheet, in a single column or in one for each year."""

    key: str
    label: str
    formula: str
    first: str = ""
    """In the first year, where that differs."""
    says: str
    """What the formula does, in words that leave one value."""


class Table(Record):
    """A table of sensitivity: a formula over two rows of headers."""

    key: str
    label: str
    across: tuple[float | str, ...]
    down: tuple[float | str, ...]
    """Numbers, or formulas."""
    own: tuple[int, int] = (2, 2)
    """Which of the headers down and across are the case's own, counted from 1."""
    formula: str
    says: str


class SheetPlan(Record):
    """One sheet of a template."""

    name: str
    rows: tuple[Row, ...]
    yearly: bool = False
    table: Table | None = None


class Template(Record):
    """A kind of model."""

    title: str
    years: int = 1
    input: tuple[InputLine, ...]
    sheet: tuple[SheetPlan, ...]
    tie: tuple[Tie, ...] = Field(min_length=1)


def list_templates() -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in TEMPLATES.glob("*.toml")))


@cache
def read_template(name: str) -> Template:
    return Template.model_validate(tomllib.loads((TEMPLATES / f"{name}.toml").read_text(encoding="utf-8")))
