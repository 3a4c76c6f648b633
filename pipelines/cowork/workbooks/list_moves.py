"""Operations that move or copy rows, or change how values are shown."""

from __future__ import annotations

from copy import copy

from openpyxl.utils.cell import quote_sheetname

from pipelines.cowork.model import Move
from pipelines.cowork.workbooks.ground import Ground
from pipelines.cowork.workbooks.tables import Kind, needs_quotes

FORMATS: dict[Kind, tuple[str, ...]] = {
    "number": ("#,##0", "0.00", "#,##0.00"),
    "date": ("yyyy-mm-dd", "dd/mm/yyyy"),
}
"""Number formats that may be asked for, by the kind of column."""


def sort_rows(ground: Ground) -> Move | None:
    """Sort the table by a column that has no value twice; every column holds constants."""
    table = ground.table
    keys = [column for column in table.of_kind("number", "date") if len(set(ground.values(column))) == len(table.rows)]
    if not keys or len(table.of_kind("number", "key", "text", "date")) < len(table.columns):
        return None
    key, descending = ground.draw.choice(keys), ground.draw.random() < 0.5
    order = sorted(table.rows, key=lambda row: ground.sheet[f"{key.letter}{row}"].value, reverse=descending)
    if order == list(table.rows):
        return None
    rows = [[copy_cell(ground, f"{column.letter}{row}") for column in table.columns] for row in order]
    for at, row in zip(table.rows, rows, strict=True):
        for column, (value, number_format) in zip(table.columns, row, strict=True):
            cell = ground.sheet[f"{column.letter}{at}"]
            cell.value, cell.number_format = value, number_format
    area = f"{table.columns[0].letter}{table.rows[0]}:{table.columns[-1].letter}{table.rows[-1]}"
    words = {"sheet": table.sheet, "area": area, "a": key.header, "order": _order(key.kind, descending)}
    return Move(operation="sort-rows", phrase="sort", words=words, answers=(table.place(area),))


def copy_cell(ground: Ground, at: str) -> tuple[object, str]:
    cell = ground.sheet[at]
    return copy(cell.value), str(cell.number_format)


def _order(kind: Kind, descending: bool) -> str:
    first = {"number": ("smallest", "largest"), "date": ("earliest", "latest")}[kind]
    return f"the {first[descending]} first"


def select_rows(ground: Ground) -> Move | None:
    """Copy the rows with one text in a column to a sheet of their own."""
    table = ground.table
    columns = [column for column in table.of_kind("text") if 1 < len(set(ground.values(column))) < len(table.rows)]
    if not columns or len(table.of_kind("number", "key", "text", "date")) < len(table.columns):
        return None
    if table.columns[0].letter != "A":  # where the copies go would be anybody's guess
        return None
    key = ground.draw.choice(columns)
    value = ground.draw.choice(sorted(set(ground.values(key))))
    title = "".join(letter for letter in f"{key.header} {value}" if letter not in "[]:*?/\\'")[:31].strip()
    if title.lower() in [name.lower() for name in ground.book.sheetnames]:
        return None
    kept = [row for row in table.rows if ground.sheet[f"{key.letter}{row}"].value == value]
    sheet = ground.book.create_sheet(title)
    for at, row in enumerate([table.header_row, *kept], start=1):
        for column in table.columns:
            cell = sheet[f"{column.letter}{at}"]
            cell.value, cell.number_format = copy_cell(ground, f"{column.letter}{row}")
    place = quote_sheetname(title) if needs_quotes(title) else title
    area = f"{place}!{table.columns[0].letter}1:{table.columns[-1].letter}{len(kept) + 1}"
    words = {"sheet": table.sheet, "summary": title, "a": key.header, "value": value}
    return Move(operation="select-rows", phrase="select", words=words, answers=(area,))


def format_column(ground: Ground) -> Move | None:
    """Show the values of a column in another number format."""
    table = ground.table
    if not (chosen := ground.choose(table.of_kind("number", "date"))):
        return None
    [column] = chosen
    current = ground.sheet[f"{column.letter}{table.rows[0]}"].number_format
    wanted = ground.draw.choice([each for each in FORMATS[column.kind] if each != current])
    for row in table.rows:
        ground.sheet[f"{column.letter}{row}"].number_format = wanted
    area = table.area(column)
    words = {"sheet": table.sheet, "a": column.header, "area": area, "format": wanted}
    return Move(operation="format-column", phrase="format", words=words, answers=(table.place(area),), formats=True)
