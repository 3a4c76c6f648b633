"""A workbook holds tables that were read off documents: by their labels, wherever they stand.

Totals must be formulas: they are looked at again after values above them were changed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from posixpath import join
from typing import NamedTuple

from crucible.documents import CellChanges, Office
from crucible.domains.office.sheets.comparing import are_same, show
from crucible.domains.office.sheets.labelled import (
    FoundTable,
    LabelledTable,
    TableParams,
    find_tables,
    list_mistyped,
    list_wrong,
)
from crucible.domains.office.sheets.workbook import BadWorkbook, Place, Values, Workbook, read_values, read_workbook
from crucible.errors import DocumentFailed
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion
from verifiers.office.table_mutants import list_table_mutations

LARGEST_BYTES = 1 << 26
SHOWN = 5
ADDED = 1234.5
"""By how much the first value of a column is raised to see whether its total follows; the second by twice as much."""


class Opened(NamedTuple):
    """A workbook, and the values that its formulas come to."""

    data: bytes
    file: Workbook
    values: Values


class Raised(NamedTuple):
    """A cell that is given a larger value."""

    header: str
    place: Place
    before: float
    added: float


@verifier("table", layer="function", version=2, cost="seconds", needs=("office",), mutants=list_table_mutations)
async def table(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: TableParams, office: Office
) -> AsyncIterator[Criterion]:
    """Each table is there once where it is shown, with right values of the right kinds, and totals that follow."""
    opens = "the workbook is there and opens"
    try:
        book = await _open(office, await box.read(join(task.env.workdir, params.path), limit=LARGEST_BYTES))
    except (FileNotFoundError, IsADirectoryError, ValueError, BadWorkbook, DocumentFailed) as fault:
        if isinstance(fault, DocumentFailed) and fault.late:
            raise
        yield gate_criterion(opens, False, f"{params.path}: {fault}"[:500])
        return
    yield gate_criterion(opens, True, params.path)
    links = [*(["macros"] if book.file.macros else []), *book.file.links]
    yield gate_criterion("it brings no macro and no link to another file", not links, ", ".join(links) or "none")
    for wanted in params.tables:
        async for criterion in _judge_table(wanted, book, office):
            yield criterion


async def _judge_table(wanted: LabelledTable, book: Opened, office: Office) -> AsyncIterator[Criterion]:
    """What is asked of one table; a table that is not there meets nothing."""
    tables = find_tables(wanted, book.values)
    evidence = f"{len(tables)} places have its headers"
    yield Criterion(name=f"{wanted.title} is there once", passed=len(tables) == 1, evidence=evidence)
    wrong = mistyped = unmoved = ["it is not there"]
    if tables:
        wrong = list(list_wrong(wanted, tables[0], book.values))
        mistyped = list(list_mistyped(wanted, tables[0], book.values, book.file))
        unmoved = await _list_unmoved(wanted, tables[0], book, office) if wanted.totals else []
    yield _criterion(f"{wanted.title} has the right values", wrong)
    yield _criterion(f"{wanted.title} keeps numbers and dates as such", mistyped)
    if wanted.totals:
        yield _criterion(f"{wanted.title} has totals that follow", unmoved)


def _criterion(name: str, found: list[str]) -> Criterion:
    """Met when there is no finding."""
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return Criterion(name=name, passed=not found, evidence="; ".join(found[:SHOWN]) + more or "nothing found")


async def _open(office: Office, data: bytes) -> Opened:
    file = await read_workbook(office, data)
    [values] = map(read_values, await office.calculate(data))
    shown = {sheet for sheet, look in file.looks.items() if look.state == "visible"}
    return Opened(data, file, {sheet: cells for sheet, cells in values.items() if sheet in shown})


async def _list_unmoved(wanted: LabelledTable, found: FoundTable, book: Opened, office: Office) -> list[str]:
    """Each total that does not follow when the values above it change, each by another amount."""
    raised = list(_raise_values(wanted, found, book.values))
    changes: CellChanges = {found.sheet: {each.place.cell: each.before + each.added for each in raised}}
    after = read_values((await office.calculate(book.data, [changes]))[1])
    return list(_describe_totals(wanted, found, raised, (book.values, after)))


def _describe_totals(
    wanted: LabelledTable, found: FoundTable, raised: Sequence[Raised], values: tuple[Values, Values]
) -> Iterator[str]:
    """What is wrong with totals, before and after the values above them were raised."""
    for header in wanted.totals:
        total = found.place(wanted.total, header)
        old, new = (shown.get(total.sheet, {}).get(total.cell) if total else None for shown in values)
        grown = sum(each.added for each in raised if each.header == header)
        if not isinstance(old, int | float) or not grown or not are_same(old + grown, new):
            yield f"{header}: {show(old)} became {show(new)} when the values above were raised by {grown:.10g}"


def _raise_values(wanted: LabelledTable, found: FoundTable, values: Values) -> Iterator[Raised]:
    """Every value that is added up; what is empty counts as nothing."""
    for number, row in enumerate(wanted.rows, start=1):
        for header in wanted.totals:
            place = found.place(str(row[0]), header)
            value = values.get(place.sheet, {}).get(place.cell, 0.0) if place else None
            if place and isinstance(value, int | float):
                yield Raised(header, place, value, number * ADDED)
