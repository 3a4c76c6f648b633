"""A workbook as data: what the service `office` says of a file, and the values that it calculated."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field

from crucible.documents import Office
from crucible.record import Json, Record

AREA = re.compile(r"(?:'((?:[^']|'')+)'|([^'!]+))!\$?([A-Z]{1,3})\$?(\d+)(?::\$?([A-Z]{1,3})\$?(\d+))?")
# matches: Sums!B2, 'Two words'!A1:C9, Sums!$A$1:$B$2
MOST_AREA_CELLS = 2_000_000

Value = float | str | bool | None
"""What a cell shows; None when it is empty."""


class ErrorValue(NamedTuple):
    """What a formula came to that could not be calculated."""

    shown: str


class Cell(NamedTuple):
    """One cell as the file has it."""

    formula: str = ""
    """With its `=`; in braces when it fills several cells; empty for a constant."""
    stored: Value = None
    """The value that the file came with: for a formula nobody vouches for it."""
    number_format: str = "General"
    style: str = ""
    """Font, fill, borders and alignment as they are seen, hashed."""


EMPTY = Cell()


class Place(NamedTuple):
    """One cell's place."""

    sheet: str
    cell: str

    def __str__(self) -> str:
        return f"{self.sheet}!{self.cell}"


class Chart(Record):
    """A chart, by its kinds (`barChart`) and the cells it draws."""

    kinds: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    title: str = ""


class SheetLook(Record):
    """What a sheet has beside its cells."""

    state: str = "visible"
    merged: tuple[str, ...] = ()
    conditional: tuple[str, ...] = ()
    """Where there are conditional formats."""
    validations: tuple[str, ...] = ()
    tables: dict[str, str] = Field(default_factory=dict)
    arrays: dict[str, str] = Field(default_factory=dict)
    """The area that a formula fills, by the place where it stands."""
    filter: str = ""
    frozen: str = ""
    images: int = 0
    charts: int = 0
    comments: int = 0
    concealed: tuple[str, ...] = ()
    """Rows and columns that are not shown."""
    widths: dict[str, float] = Field(default_factory=dict)


class Workbook(NamedTuple):
    """What a file holds."""

    cells: Mapping[str, Mapping[str, Cell]]
    """By sheet, in their order, then by place."""
    looks: Mapping[str, SheetLook]
    names: Mapping[str, str]
    charts: tuple[Chart, ...]
    parts: tuple[str, ...]
    macros: bool
    links: tuple[str, ...]
    """Where it leads to other files."""
    epoch: str = ""
    """The day from which dates are counted."""

    def cell(self, place: Place) -> Cell:
        return self.cells.get(place.sheet, {}).get(place.cell, EMPTY)


class BadWorkbook(Exception):
    """A file that must not or cannot be opened as a workbook; says why in one line."""


Values = Mapping[str, Mapping[str, Value | ErrorValue]]
"""What all cells show, by sheet, then by place; empty ones are left out."""


async def read_workbook(office: Office, data: bytes) -> Workbook:
    """What the file holds. BadWorkbook when it is none, or must not be opened."""
    found: Any = await office.describe(data, "xlsx")
    if "fault" in found:
        raise BadWorkbook(str(found["fault"]))
    sheets = found["sheets"]
    return Workbook(
        cells={sheet["name"]: {at: Cell(*fields) for at, fields in sheet["cells"].items()} for sheet in sheets},
        looks={sheet["name"]: _read_look(sheet) for sheet in sheets},
        names=found["names"],
        charts=tuple(Chart.model_validate(chart) for chart in found["charts"]),
        parts=tuple(found["parts"]),
        macros=found["macros"],
        links=tuple(found["links"]),
        epoch=found["epoch"],
    )


def _read_look(sheet: dict[str, Any]) -> SheetLook:
    return SheetLook.model_validate({name: sheet[name] for name in SheetLook.model_fields})


def read_values(calculated: Json) -> Values:
    """The values of one calculation of the service."""
    sheets: Any = calculated
    return {
        name: {at: _name_error(value["error"]) if isinstance(value, dict) else value for at, value in cells.items()}
        for name, cells in sheets.items()
    }


def _name_error(shown: str) -> ErrorValue:
    """The error by the name that most programs have for it."""
    return ErrorValue(read_functions()["errors"].get(shown, shown))


@cache
def read_functions() -> dict[str, Any]:
    """What is known of functions and their errors (`functions.toml`)."""
    return tomllib.loads(Path(__file__).with_name("functions.toml").read_text(encoding="utf-8"))


def list_places(area: str) -> Iterator[Place]:
    """Each place of an area such as `Sums!B2:C9`, row by row. ValueError when it is none, or too large."""
    matched = AREA.fullmatch(area)
    if not matched:
        raise ValueError(f"'{area}' is no area of a workbook; one is written Sheet!A1:B9")
    quoted, bare, first, top, last, bottom = matched.groups()
    sheet = quoted.replace("''", "'") if quoted else bare
    columns = range(column_number(first), column_number(last or first) + 1)
    rows = range(int(top), int(bottom or top) + 1)
    if len(columns) * len(rows) > MOST_AREA_CELLS:
        raise ValueError(f"'{area}' has more than {MOST_AREA_CELLS} cells")
    return (Place(sheet, f"{column_letters(column)}{row}") for row in rows for column in columns)


def column_number(letters: str) -> int:
    """A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def column_letters(number: int) -> str:
    """1 is A, 27 is AA."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
