"""Operations that are written as formulas: a new column, a single value, a row for each group (`operations.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

from openpyxl.utils.cell import quote_sheetname

from crucible.record import Record
from pipelines.cowork.model import Move
from pipelines.cowork.workbooks.ground import Ground, Operation
from pipelines.cowork.workbooks.tables import Column, Kind, needs_quotes

SUMMARY = "Summary"
FEWEST_GROUPS, MOST_GROUPS = 2, 12
LETTERS = "ab"


class Formula(Record):
    """An operation as its file describes it."""

    name: str
    takes: tuple[Kind, ...]
    header: str
    formula: str
    says: tuple[str, ...]
    format: str = "General"


@cache
def read_operations() -> dict[str, tuple[Formula, ...]]:
    """The operations of the file, by what they make: column, value, group."""
    facts = tomllib.loads(Path(__file__).with_name("operations.toml").read_text(encoding="utf-8"))
    return {kind: tuple(map(Formula.model_validate, entries)) for kind, entries in facts.items()}


def list_formula_moves() -> Iterator[tuple[str, Operation]]:
    """All of them, by name."""
    carry_out = {"column": add_column, "value": add_value, "group": add_groups}
    for kind, formulas in read_operations().items():
        for formula in formulas:
            yield formula.name, partial(carry_out[kind], formula=formula)


def add_column(ground: Ground, formula: Formula) -> Move | None:
    """A new column to the right of the table."""
    chosen = _choose_columns(ground, formula)
    if not chosen or not ground.can_add_column():
        return None
    words = _words(ground, chosen, formula)
    if words["header"] in [column.header for column in ground.table.columns]:
        return None
    header, area = ground.add_column(
        words["header"], lambda row: formula.formula.format(**words, row=row), formula.format
    )
    words |= {"header_cell": header.rpartition("!")[2], "area": area.rpartition("!")[2]}
    return _move(ground, formula, "column", words, chosen, answers=(header, area))


def add_value(ground: Ground, formula: Formula) -> Move | None:
    """One value on the sheet for summaries, in its first free row."""
    chosen = _choose_columns(ground, formula)
    if not chosen or ground.table.sheet == SUMMARY:
        return None
    words = _words(ground, chosen, formula)
    sheet = ground.book[SUMMARY] if SUMMARY in ground.book.sheetnames else ground.book.create_sheet(SUMMARY)
    at = _first_free_row(sheet)
    sheet[f"A{at}"], sheet[f"B{at}"] = words["header"], formula.formula.format(**words)
    sheet[f"B{at}"].number_format = formula.format
    words |= {"summary": SUMMARY, "at": str(at)}
    return _move(ground, formula, "value", words, chosen, answers=(f"{SUMMARY}!A{at}:B{at}",))


def add_groups(ground: Ground, formula: Formula) -> Move | None:
    """A sheet with one row for each different text of a column."""
    chosen = _choose_columns(ground, formula)
    if not chosen:
        return None
    words = _words(ground, chosen, formula)
    groups = list(dict.fromkeys(ground.values(chosen[0])))
    summary = f"By {words['a']}"[:31]
    if not FEWEST_GROUPS <= len(groups) <= MOST_GROUPS or _is_taken(ground, summary) or _has_patterns(groups):
        return None
    sheet = ground.book.create_sheet(summary)
    sheet["A1"], sheet["B1"] = words["a"], words["header"]
    for row, group in enumerate(groups, start=2):
        sheet[f"A{row}"], sheet[f"B{row}"] = group, formula.formula.format(**words, key=f"A{row}")
    place = quote_sheetname(summary) if needs_quotes(summary) else summary
    words |= {"summary": summary}
    return _move(ground, formula, "group", words, chosen, answers=(f"{place}!A1:B{len(groups) + 1}",))


def _choose_columns(ground: Ground, formula: Formula) -> list[Column] | None:
    """A column for each kind that is wanted, no one twice."""
    chosen: list[Column] = []
    for kind in formula.takes:
        there = [column for column in ground.table.of_kind(kind) if column not in chosen]
        if not there:
            return None
        chosen.append(ground.draw.choice(there))
    return chosen


def _words(ground: Ground, chosen: list[Column], formula: Formula) -> dict[str, str]:
    """What the phrases and formulas may name."""
    table = ground.table
    words = {"sheet": table.sheet, "first": str(table.rows[0])}
    for letter, column in zip(LETTERS, chosen, strict=False):
        words |= {
            letter: column.header,
            letter.upper(): column.letter,
            f"area_{letter}": table.area(column),
            f"fixed_{letter}": table.area(column, absolute=True),
            f"from_{letter}": table.place(table.area(column, absolute=True)),
        }
    numbers = next((ground.values(column) for column in chosen if column.kind == "number"), None)
    if numbers:
        words["number"] = str(_even_number(ground, numbers))
    words["header"] = formula.header.format(**words)
    words["says"] = ground.draw.choice(formula.says).format(**words)
    return words


def _even_number(ground: Ground, values: list[Any]) -> int:
    """A number between the least and the largest that splits the values, of few digits."""
    middle = sorted(values)[len(values) // 2 - ground.draw.randint(0, 1)]
    digits = max(0, len(str(int(abs(middle)))) - 2)
    return int(round(middle, -digits))


def _move(
    ground: Ground,
    formula: Formula,
    phrase: Literal["column", "value", "group"],
    words: dict[str, str],
    chosen: list[Column],
    answers: tuple[str, ...],
) -> Move:
    inputs = ground.cells(*chosen)
    return Move(operation=formula.name, phrase=phrase, words=words, answers=answers, inputs=inputs)


def _first_free_row(sheet: Any) -> int:
    row = 1
    while sheet[f"A{row}"].value is not None or sheet[f"B{row}"].value is not None:
        row += 1
    return row


def _is_taken(ground: Ground, sheet: str) -> bool:
    return sheet.lower() in [name.lower() for name in ground.book.sheetnames]


def _has_patterns(groups: list[str]) -> bool:
    """Whether a text would be read as a pattern or comparison by functions such as SUMIF, or texts differ by case."""
    return any(set(group) & set("*?~<>=") for group in groups) or len({group.lower() for group in groups}) < len(groups)
