"""The library of office queries: meta-queries and pools, and with them shapes of tables and outlines of decks."""

from __future__ import annotations

import datetime
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from crucible.datafile import read_rows
from crucible.errors import SettingsError
from crucible.record import Record
from pipelines.queries.library import Library, read_features, read_library
from pipelines.queries.model import Feature

FOLDER = Path(__file__).parent.parent
OWN = FOLDER / "library"


class OfficeFeature(Feature):
    """Something that a query can ask for, and the operations of walks that are an answer to it."""

    operations: tuple[str, ...] = Field(min_length=1)
    """One that fits the file is drawn."""


class ColumnShape(Record):
    """One column of a generated table."""

    header: str
    kind: Literal["text", "name", "number", "date", "formula"]
    values: tuple[str, ...] = ()
    low: float = 0
    high: float = 100
    digits: int = 0
    first: datetime.date = datetime.date(2024, 1, 1)
    days: int = 365
    formula: str = ""


class TableShape(Record):
    """A table of a generated workbook."""

    name: str
    sheet: str
    columns: tuple[ColumnShape, ...]


class SlideOutline(Record):
    """A slide with a list."""

    title: str
    points: tuple[str, ...]


class ChartOutline(Record):
    """A chart of one series."""

    title: str
    series: str
    categories: tuple[str, ...]
    values: tuple[float, ...]


class Topic(Record):
    """The outline of a generated deck."""

    name: str
    title: str
    slides: tuple[SlideOutline, ...]
    chart: ChartOutline | None = None


@cache
def load_features() -> dict[str, OfficeFeature]:
    return {feature.name: feature for feature in read_features(FOLDER / "features", OfficeFeature)}


@cache
def load_library(folder: Path = OWN) -> Library:
    """A library with the features of this pipeline."""
    return read_library(folder, load_features().values())


def find_table(name: str, folder: Path = OWN) -> TableShape:
    """The table shape of that name; SettingsError names those there are."""
    shapes = {shape.name: shape for shape in read_rows(folder / "tables.toml", "tables", TableShape)}
    if name not in shapes:
        raise SettingsError(f"tables.toml has no '{name}'; it has: {', '.join(shapes)}")
    return shapes[name]


def find_topic(name: str, folder: Path = OWN) -> Topic:
    """The outline of that name; SettingsError names those there are."""
    topics = {topic.name: topic for topic in read_rows(folder / "topics.toml", "topics", Topic)}
    if name not in topics:
        raise SettingsError(f"topics.toml has no '{name}'; it has: {', '.join(topics)}")
    return topics[name]
