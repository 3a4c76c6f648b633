"""What an operation stands on: a workbook that it changes, one of its tables, and the draw of a seeded walk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from pipelines.cowork.model import Move
from pipelines.cowork.workbooks.tables import Column, Table

Operation = Callable[["Ground"], Move | None]
"""Changes the workbook and says what it did; None where it does not fit, and then nothing was changed."""


@dataclass(frozen=True)
class Ground:
    """A workbook in the middle of a walk."""

    book: Any
    table: Table
    draw: Random

    @property
    def sheet(self) -> Any:
        return self.book[self.table.sheet]

    def values(self, column: Column) -> list[Any]:
        return [self.sheet[f"{column.letter}{row}"].value for row in self.table.rows]

    def choose(self, columns: Iterable[Column], count: int = 1) -> list[Column] | None:
        """Some columns, in their order; None when there are not so many."""
        there = list(columns)
        if len(there) < count:
            return None
        return sorted(self.draw.sample(there, count), key=there.index)

    def can_add_column(self) -> bool:
        """Whether the column to the right of the table is free."""
        letter, rows = self.table.next_letter, range(self.table.header_row, self.table.last_row + 1)
        return all(self.sheet[f"{letter}{row}"].value is None for row in rows)

    def add_column(self, header: str, formula: Callable[[int], str], number_format: str = "General") -> tuple[str, str]:
        """Write a header and a formula for each row; returns the areas of header and formulas."""
        letter = self.table.next_letter
        self.sheet[f"{letter}{self.table.header_row}"] = header
        for row in self.table.rows:
            cell = self.sheet[f"{letter}{row}"]
            cell.value, cell.number_format = formula(row), number_format
        return self.table.place(f"{letter}{self.table.header_row}"), self.table.place(self.table.area(letter))

    def cells(self, *columns: Column) -> tuple[str, ...]:
        """The places of the columns' values."""
        return tuple(self.table.place(f"{column.letter}{row}") for column in columns for row in self.table.rows)
