"""What an edit must not touch: cells outside the places it is about, and what a workbook has beside its cells."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import NamedTuple

from crucible.domains.office.sheets.comparing import are_same
from crucible.domains.office.sheets.workbook import (
    Cell,
    Place,
    SheetLook,
    Values,
    Workbook,
    list_places,
    read_functions,
)

FORMAT_LITERAL = re.compile(r'"([^"]*)"|\\(.)')
# matches: "kg"  \-
FORMAT_NOISE = re.compile(r"\[\$-[0-9A-F]+\]|;@$")
# matches: [$-409]


class Book(NamedTuple):
    """A workbook with the values that its formulas come to."""

    file: Workbook
    values: Values

    def list_places(self) -> Iterator[Place]:
        return (Place(sheet, at) for sheet, cells in self.file.cells.items() for at in cells)


def list_touched(given: Book, gold: Book, made: Book, allowed: Collection[Place]) -> Iterator[str]:
    """Each cell that was changed though the right workbook leaves it as it was, in words."""
    covered = find_covered(given.file) & find_covered(made.file)
    for place in dict.fromkeys((*given.list_places(), *made.list_places())):
        if place in allowed or place in covered or place.sheet not in given.file.cells:
            continue
        if not _describe_change(place, given, gold) and (change := _describe_change(place, given, made)):
            yield change


def find_covered(book: Workbook) -> set[Place]:
    """Cells of merged areas but for the first of each: nobody sees what they hold, and some programs drop it."""
    found: set[Place] = set()
    for sheet, look in book.looks.items():
        for area in look.merged:
            with suppress(ValueError):  # an area of millions of cells
                _, *others = list_places(f"'{sheet.replace(chr(39), chr(39) * 2)}'!{area}")
                found.update(others)
    return found


def list_restyled(given: Book, gold: Book, made: Book, allowed: Collection[Place]) -> Iterator[str]:
    """Each cell that looks different though the right workbook leaves its looks as they were."""
    for place in given.list_places():
        before, wanted, after = (_looks(book.file.cell(place)) for book in (given, gold, made))
        if place not in allowed and before == wanted != after:
            yield f"{place} has another format or style"


def list_lost(given: Workbook, gold: Workbook, made: Workbook) -> Iterator[str]:
    """What the right workbook keeps of the given one and this one lacks: sheets, names, charts, and what sheets have
    beside their cells."""
    for sheet in given.cells:
        if sheet in gold.cells and sheet not in made.cells:
            yield f"sheet '{sheet}'"
    kept = [sheet for sheet in given.cells if sheet in gold.cells and sheet in made.cells]
    order = [[sheet for sheet in book.cells if sheet in kept] for book in (given, gold, made)]
    if order[0] == order[1] != order[2]:
        yield "the order of the sheets"
    if given.epoch == gold.epoch != made.epoch:
        yield f"the calendar: dates are counted from {made.epoch} instead of {given.epoch}"
    for name in given.names:
        if name in gold.names and name not in made.names:
            yield f"the name {name}"
        elif _means(name, given) == _means(name, gold) != _means(name, made):
            yield f"what the name {name} means: {made.names[name][:80]}"
    if len(made.charts) < min(len(given.charts), len(gold.charts)):
        yield f"{min(len(given.charts), len(gold.charts)) - len(made.charts)} charts"
    for sheet, look in gold.looks.items():
        if sheet in made.looks and sheet not in given.looks and made.looks[sheet].state != look.state:
            yield f"sheet '{sheet}' from what is shown"
    for sheet in made.looks.keys() & given.looks.keys() & gold.looks.keys():
        for what in _list_lost_looks(given.looks[sheet], gold.looks[sheet], made.looks[sheet]):
            yield f"{what} of sheet '{sheet}'"


def _means(name: str, book: Workbook) -> str:
    """What a name stands for, without what programs write differently."""
    return _plain(book.names.get(name, "")).replace("'", "").replace("$", "")


def _list_lost_looks(given: SheetLook, gold: SheetLook, made: SheetLook) -> Iterator[str]:
    for what in ("merged", "conditional", "validations", "tables"):
        kept = set(getattr(given, what)) & set(getattr(gold, what))
        if lost := kept - set(getattr(made, what)):
            yield f"{what}: {', '.join(sorted(lost))}"
    for what in ("filter", "frozen", "images", "charts", "comments", "concealed", "state"):
        if getattr(given, what) == getattr(gold, what) != getattr(made, what):
            yield f"{what}"


def _describe_change(place: Place, before: Book, after: Book) -> str:
    """How a cell differs between two workbooks, in words; empty when it does not."""
    old, new = before.file.cell(place), after.file.cell(place)
    if old.formula and not new.formula:
        return f"{place} has no formula any more"
    if new.formula and not old.formula:
        return f"{place} has a formula now"
    if old.formula:
        same = _plain(old.formula) == _plain(new.formula) or _show_the_same(place, before, after)
        return "" if same else f"{place} has another formula"
    return "" if _show_the_same(place, before, after) else f"{place} has another value"


def _show_the_same(place: Place, one: Book, other: Book) -> bool:
    return are_same(one.values.get(place.sheet, {}).get(place.cell), other.values.get(place.sheet, {}).get(place.cell))


def _plain(formula: str) -> str:
    """A formula without what programs write differently: blanks, case, absolute marks stay."""
    return "".join(formula.split()).upper().replace("_XLFN.", "")


def _looks(cell: Cell) -> tuple[str, str]:
    return plain_format(cell.number_format), cell.style


def plain_format(number_format: str) -> str:
    """A number format without what programs write differently: marks around plain characters, case, locale marks, and
    dates that follow the user's country. Letters and digits keep their mark: without it they stand for something."""

    def mark(found: re.Match[str]) -> str:
        literal = found[1] if found[2] is None else found[2]
        return "".join(f"\\{each}" if each.isalnum() else each for each in literal)

    plain = FORMAT_LITERAL.sub(mark, FORMAT_NOISE.sub("", number_format)).lower()
    return str(read_functions()["formats"].get(plain, plain))
