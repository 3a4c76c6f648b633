"""What formulas refer to: which cells a formula reads, and which cells depend on given ones, however indirectly."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from openpyxl.formula.tokenizer import Token, Tokenizer, TokenizerError

from crucible.domains.office.sheets.workbook import Cell, Place, Workbook, column_letters, column_number, read_functions

REFERENCE = re.compile(r"(?:(?:'((?:[^']|'')+)'|([^'!]+))!)?\$?([A-Z]{0,3})\$?(\d*)(?::\$?([A-Z]{0,3})\$?(\d*))?")
# matches: B2, $A$1:C9, 'Two words'!B:B, Sums!3:4
TABLE = re.compile(r"(\w[\w.]*)\[")
# matches: Orders[Price]
OTHER_FILE = re.compile(r"\[\d+\]|\[[^\]]+\.xl\w+\]|'file:")
# matches: [1]Sheet1!A1, '[Prices.xlsx]June'!B2
FUNCTION = re.compile(r"[A-Z_a-z][\w.]*\(")
# matches: SUM(  _xlfn.VSTACK(
VARIABLE = "_xlpm."
"""How the names begin that a formula gives to its own values, as LET and LAMBDA do."""
LAST_COLUMN, LAST_ROW = 16_384, 1_048_576
SPELLED_OUT, WIDEST = 64, 256
"""Of a smaller area each cell is known to be read; a larger one is taken to read whole columns, so many at most."""


class Area(NamedTuple):
    """A block of cells."""

    sheet: str
    left: int
    top: int
    right: int
    bottom: int

    def size(self) -> int:
        return (self.right - self.left + 1) * (self.bottom - self.top + 1)

    def list_places(self) -> Iterator[Place]:
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield Place(self.sheet, f"{column_letters(column)}{row}")

    def holds(self, place: Place) -> bool:
        letters = place.cell.rstrip("0123456789")
        column, row = column_number(letters), int(place.cell[len(letters) :])
        return place.sheet == self.sheet and self.left <= column <= self.right and self.top <= row <= self.bottom


def list_areas(formula: str, sheet: str, book: Workbook) -> Iterator[Area]:
    """The cells that a formula of that sheet reads; names and tables stand for theirs."""
    for token in _list_tokens(formula):
        if token.type == "OPERAND" and token.subtype == "RANGE":
            yield from _resolve(token.value, sheet, book)


def _list_tokens(formula: str) -> list[Token]:
    """The tokens of a formula, an array formula's without its braces; none where it is malformed."""
    try:
        return list(Tokenizer(formula[1:-1] if formula.startswith("{=") else formula).items)
    except (TokenizerError, IndexError):  # the second for a bracket too many
        return []


def _resolve(text: str, sheet: str, book: Workbook) -> Iterator[Area]:
    if matched := REFERENCE.fullmatch(text):
        quoted, bare, first, top, last, bottom = matched.groups()
        if first or top:
            where = quoted.replace("''", "'") if quoted else bare or sheet
            left = column_number(first) if first else 1
            right = column_number(last or first) if first else LAST_COLUMN
            yield Area(where, left, int(top or 1), right, int(bottom or top or LAST_ROW))
            return
    if meant := _find_name(text, sheet, book):
        tokens = _list_tokens(f"={meant.removeprefix('=')}") if "(" in meant else []
        parts = [token.value for token in tokens if token.subtype == "RANGE"] if tokens else meant.split(",")
        yield from (area for part in parts for area in _resolve_name(part, sheet, book))
    elif table := TABLE.match(text):
        for where, look in book.looks.items():
            if table[1] in look.tables:
                yield from _resolve(look.tables[table[1]], where, book)


def _find_name(text: str, sheet: str, book: Workbook) -> str:
    """What a name stands for, of the workbook or of the sheet alone; empty where there is none."""
    word = text.replace("'", "")
    return book.names.get(word) or book.names.get(f"{sheet}!{word}") or ""


def _resolve_name(text: str, sheet: str, book: Workbook) -> Iterator[Area]:
    """What a name stands for; a name of a name is not followed."""
    return iter(()) if _find_name(text, sheet, book) else _resolve(text, sheet, book)


def is_readable(book: Workbook, place: Place) -> bool:
    """Whether a cell's formula is one: brackets match, functions have names, names stand for something, and between
    two values there is an operator. A constant is no formula that could be misread."""
    formula = book.cell(place).formula
    tokens = [token for token in _list_tokens(formula) if token.type != "WHITE-SPACE"]
    if not tokens:
        return not formula
    pairs = pairwise(tokens)
    if any(a.type == b.type == "OPERAND" and "RANGE" not in (a.subtype, b.subtype) for a, b in pairs):
        return False
    return all(_is_known(token, place.sheet, book) for token in tokens)


def _is_known(token: Token, sheet: str, book: Workbook) -> bool:
    if token.type == "FUNC" and token.subtype == "OPEN":
        return FUNCTION.fullmatch(token.value) is not None
    if token.type == "OPERAND" and token.subtype == "RANGE" and not token.value.startswith(VARIABLE):
        return bool(
            "[" in token.value or _find_name(token.value, sheet, book) or list(_resolve(token.value, sheet, book))
        )
    return True


def list_calls(cell: Cell) -> set[str]:
    """The functions that a cell's formula calls, in capitals, without what programs write before newer ones."""
    tokens = _list_tokens(cell.formula)
    names = (token.value[:-1].upper() for token in tokens if token.type == "FUNC" and token.subtype == "OPEN")
    return {name.removeprefix("_XLFN.").removeprefix("_XLWS.").removeprefix("_XLL.") for name in names}


def list_calls_by_names(place: Place, book: Workbook) -> set[str]:
    """The functions that a cell's formula calls, also by names that stand for formulas, and by names in those."""
    calls, seen, ahead = set[str](), set[str](), [book.cell(place).formula]
    while ahead:
        formula = ahead.pop()
        calls |= list_calls(Cell(formula=formula))
        for token in _list_tokens(formula):
            if token.type in ("OPERAND", "FUNC"):
                word = token.value.rstrip("(").replace("'", "")
                names = {word, f"{place.sheet}!{word}"} & book.names.keys() - seen
                ahead += [f"={book.names[name].removeprefix('=')}" for name in names]
                seen |= names
    return calls


def list_first_arguments(formula: str, function: str) -> list[str]:
    """The number or the reference with which each call of a function begins."""
    tokens = [token for token in _list_tokens(formula) if token.type != "WHITE-SPACE"]
    return [
        argument.value
        for call, argument in pairwise(tokens)
        if call.type == "FUNC" and call.value.upper() == f"{function}(" and argument.subtype in ("NUMBER", "RANGE")
    ]


def find_unforeseeable(book: Workbook) -> set[Place]:
    """Cells whose value comes from outside the workbook or is another one each time (`functions.toml`), and all that
    depend on them."""
    moving = set(read_functions()["volatile"]) | set(read_functions()["outside"])
    starts = [
        place
        for place, cell in list_formulas(book)
        if OTHER_FILE.search(cell.formula) or cell.formula == "{table}" or moving & list_calls(cell)
    ]
    return find_dependents(book, starts) if starts else set()


def find_dependents(book: Workbook, starts: Iterable[Place]) -> set[Place]:
    """These cells, the cells that their formulas fill, and all whose formulas read one of them, however indirectly."""
    readers: defaultdict[Place, list[Place]] = defaultdict(list)
    column_readers: defaultdict[tuple[str, int], list[Place]] = defaultdict(list)
    for place, cell in list_formulas(book):
        for area in list_areas(cell.formula, place.sheet, book):
            if area.size() <= SPELLED_OUT:
                for read in area.list_places():
                    readers[read].append(place)
            else:
                for column in range(area.left, min(area.right, area.left + WIDEST) + 1):
                    column_readers[area.sheet, column].append(place)
    found, ahead = set(starts), list(starts)
    while ahead:
        place = ahead.pop()
        column = column_number(place.cell.rstrip("0123456789"))
        filled = book.looks[place.sheet].arrays.get(place.cell) if place.sheet in book.looks else None
        beside = [each for area in _resolve(filled, place.sheet, book) for each in area.list_places()] if filled else []
        reading = [*readers[place], *column_readers.pop((place.sheet, column), ()), *beside]
        ahead += (new := {reader for reader in reading if reader not in found})
        found |= new
    return found


def find_inputs(book: Workbook, places: Iterable[Place]) -> set[Place]:
    """The constants that these cells' formulas read, however indirectly."""
    seen: set[Place] = set()
    areas: set[Area] = set()  # the formulas of a column often read the same cells
    ahead = list(places)
    while ahead:
        place = ahead.pop()
        new = (
            set(list_areas(book.cell(place).formula, place.sheet, book)) - areas if book.cell(place).formula else set()
        )
        areas |= new
        read = {cell for area in new for cell in _filled(area, book)} - seen
        ahead += read
        seen |= read
    return {place for place in seen if not book.cell(place).formula and book.cell(place).stored is not None}


def _filled(area: Area, book: Workbook) -> Iterator[Place]:
    """The cells of an area that the workbook has."""
    cells = book.cells.get(area.sheet, {})
    if area.size() <= len(cells):
        return (place for place in area.list_places() if place.cell in cells)
    return (Place(area.sheet, at) for at in cells if area.holds(Place(area.sheet, at)))


def list_formulas(book: Workbook) -> Iterator[tuple[Place, Cell]]:
    """Every cell with a formula."""
    return (
        (Place(sheet, at), cell) for sheet, cells in book.cells.items() for at, cell in cells.items() if cell.formula
    )
