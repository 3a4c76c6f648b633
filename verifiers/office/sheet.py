"""A workbook shows what the right one shows, goes on doing so when its inputs change, and is otherwise as it was.

Values that came with the file are never believed: every formula is calculated anew, in the candidate and in the right
workbook alike, by the same office suite. Before anything is held against an attempt, a second engine is heard.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from posixpath import join
from typing import NamedTuple

from crucible.documents import CellChanges, Office
from crucible.domains.office.sheets.comparing import RELATIVE, Difference, are_same, compare_values, tell
from crucible.domains.office.sheets.known_differences import name_differences
from crucible.domains.office.sheets.params import SheetParams
from crucible.domains.office.sheets.regression import Book, list_lost, list_restyled, list_touched, plain_format
from crucible.domains.office.sheets.second_opinion import find_unknown_calls, read_stored, reconcile, trust_reference
from crucible.domains.office.sheets.stored_values import list_forged
from crucible.domains.office.sheets.workbook import (
    BadWorkbook,
    ErrorValue,
    Place,
    Values,
    list_places,
    read_values,
    read_workbook,
)
from crucible.errors import DocumentFailed, Undecided
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.record import digest
from crucible.sandbox import Sandbox
from verifiers.office.sheet_mutants import list_sheet_mutations

LARGEST_BYTES = 1 << 26
SHOWN = 5
"""How many findings of one kind are told."""


KEPT_WORKBOOKS = 16


class Calculated(NamedTuple):
    """A workbook, and the values that each set of changed inputs leads to."""

    book: Book
    changed: tuple[Values, ...]
    vouched: Values
    """What its cells show, where its author vouches for what the suite cannot calculate."""


_known: dict[str, Calculated] = {}
"""Workbooks of tasks that were calculated lately."""


@verifier("sheet", layer="function", version=4, cost="seconds", needs=("blobs", "office"), mutants=list_sheet_mutations)
async def sheet(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: SheetParams, blobs: BlobStore, office: Office
) -> AsyncIterator[Criterion]:
    """The answers are right, they follow when inputs change, and nothing else was touched or lost."""
    opens = "the workbook is there and opens"
    try:
        data = await box.read(join(task.env.workdir, params.path), limit=LARGEST_BYTES)
        made = await _calculate(office, data, params.changes)
    except (FileNotFoundError, IsADirectoryError, ValueError, BadWorkbook, DocumentFailed) as fault:
        if isinstance(fault, DocumentFailed) and fault.late:
            raise
        yield Criterion(name=opens, passed=False, evidence=f"{params.path}: {fault}"[:500], gate=True)
        return
    yield Criterion(name=opens, passed=True, evidence=params.path, gate=True)
    gold = await _calculate_known(office, blobs, params.gold, params.changes)
    given = await _calculate_known(office, blobs, params.given, ()) if params.given else None
    criteria = list(_judge(params, made, gold, given))
    if not all(criterion.passed for criterion in criteria):
        criteria = list(_judge(params, await _hear_second_engine(office, data, params, made, gold), gold, given))
    for criterion in criteria:
        yield criterion


async def _calculate_known(office: Office, blobs: BlobStore, blob: str, changes: Sequence[CellChanges]) -> Calculated:
    """A workbook that belongs to the task: every attempt is held against the same ones, so the last few are kept."""
    key = digest(blob, list(changes))
    if key not in _known:
        while len(_known) >= KEPT_WORKBOOKS:
            _known.pop(next(iter(_known)))
        data = blobs.get(blob)
        known = await _calculate(office, data, changes)
        again = await office.cross_check(data) if _is_doubtful(known.book) else None
        second = read_values(again[0]) if again else None
        values = trust_reference(known.book.file, known.book.values, second, RELATIVE)
        _known[key] = known._replace(vouched=values)
    return _known[key]


def _is_doubtful(book: Book) -> bool:
    """Whether the suite comes to something else than was stored."""
    stored = read_stored(book.file)
    places = [Place(sheet, at) for sheet, cells in stored.items() for at in cells]
    return bool(compare_values(stored, book.values, places))


async def _hear_second_engine(
    office: Office, data: bytes, params: SheetParams, made: Calculated, gold: Calculated
) -> Calculated:
    """The workbook with the second engine's values where it agrees with the right workbook or with what is stored.
    Undecided when an answer rests on a function that neither engine knows."""
    sets = [each for each in params.changes if each.keys() <= made.book.file.cells.keys()]
    again = [read_values(each) for each in await office.cross_check(data, sets) or [{}] * (len(sets) + 1)]
    answers = [place for area in params.answers for place in list_places(area)]
    heard = reconcile(made.book.file, made.book.values, again[0], gold.vouched, tolerance=params.tolerance)
    wrong = [each.place for each in compare_values(gold.vouched, heard, answers, params.tolerance)]
    if unknown := find_unknown_calls(made.book.file, made.book.values, again[0], wrong):
        place, function = next(iter(unknown.items()))
        raise Undecided(f"{place} calls {function}, which no engine at hand can calculate")
    stored = read_stored(made.book.file)
    file = made.book.file
    first = reconcile(file, made.book.values, again[0], gold.vouched, stored, tolerance=params.tolerance)
    changed = tuple(
        reconcile(file, values, second, wanted, tolerance=params.tolerance)
        for values, second, wanted in zip(made.changed, again[1:], gold.changed, strict=False)
    )
    return Calculated(made.book._replace(values=first), changed, first)


async def _calculate(office: Office, data: bytes, changes: Sequence[CellChanges]) -> Calculated:
    """What the workbook holds and shows, and what it shows for each set of changed inputs."""
    file = await read_workbook(office, data)
    sets = [each for each in changes if each.keys() <= file.cells.keys()]
    first, *changed = map(read_values, await office.calculate(data, sets))
    return Calculated(Book(file, first), tuple(changed), first)


def _judge(params: SheetParams, made: Calculated, gold: Calculated, given: Calculated | None) -> Iterator[Criterion]:
    """Everything that is asked of a workbook that opens."""
    before = given.book if given else None
    yield _judge_safety(made.book, before)
    yield _judge_errors(made.book, gold.book, before)
    yield from _judge_answers(params, made, gold)
    yield _judge_stored_values(made.book, before)
    if before:
        yield from _judge_regression(params, made.book, gold.book, before)


def _judge_safety(made: Book, given: Book | None) -> Criterion:
    """No macro and no link to another file that was not there before."""
    macros = made.file.macros and not (given and given.file.macros)
    links = [] if given and given.file.links else list(made.file.links)
    found = [*(["macros"] if macros else []), *links]
    return _criterion("it brings no macro and no link to another file", found, gate=True)


def _judge_errors(made: Book, gold: Book, given: Book | None) -> Criterion:
    """No cell shows an error that neither the given nor the right workbook shows there."""
    known = {place for book in (gold, given) if book for place in _list_errors(book.values)}
    found = [f"{place}: {shown}" for place, shown in _list_errors(made.values).items() if place not in known]
    return _criterion("no cell shows a new error", found)


def _list_errors(values: Values) -> dict[Place, str]:
    return {
        Place(sheet, at): value.shown
        for sheet, cells in values.items()
        for at, value in cells.items()
        if isinstance(value, ErrorValue)
    }


def _judge_answers(params: SheetParams, made: Calculated, gold: Calculated) -> Iterator[Criterion]:
    """Each area of answers, as the workbook is and with changed inputs."""
    for area in params.answers:
        places = list(list_places(area))
        differing = compare_values(gold.vouched, made.book.values, places, params.tolerance)
        wrong = [each for each in differing if not _is_same_by_suite(each, made, gold)]
        yield Criterion(name=f"{area} is right", passed=not wrong, evidence=tell(wrong) or f"{len(places)} cells agree")
        if any(compare_values(gold.book.values, values, places) for values in gold.changed):
            yield _judge_changed(area, places, params, made, gold)
        if params.formulas:
            typed = [str(at) for at in places if _formula(gold, at) and not _formula(made, at)]
            yield _criterion(f"{area} has formulas where they are asked for", typed)
        if params.formats:
            other = [str(at) for at in places if _format(made, at) != _format(gold, at)]
            yield _criterion(f"{area} has the number format that is asked for", other)


def _is_same_by_suite(found: Difference, made: Calculated, gold: Calculated) -> bool:
    """Whether the suite comes to the same in the right workbook, though its author's program came to something else.
    Any wrong formula may come to an error: there only the right workbook's own will do."""
    calculated = gold.book.values.get(found.place.sheet, {}).get(found.place.cell)
    if isinstance(calculated, ErrorValue):
        return _formula(made, found.place) == _formula(gold, found.place) != ""
    return are_same(calculated, found.got)


def _judge_changed(
    area: str, places: list[Place], params: SheetParams, made: Calculated, gold: Calculated
) -> Criterion:
    """The answers follow when inputs change: values that were typed in do not. Asked only where the right workbook's
    do: rows that it has copied need not follow, and may."""
    name = f"{area} follows when its inputs change"
    if len(made.changed) < len(gold.changed):
        return Criterion(name=name, passed=False, evidence="a sheet with inputs is gone")
    for changes, wanted, got in zip(params.changes, gold.changed, made.changed, strict=True):
        if wrong := compare_values(wanted, got, places, params.tolerance):
            inputs = ", ".join(f"{s}!{at} = {value}" for s, cells in changes.items() for at, value in cells.items())
            return Criterion(name=name, passed=False, evidence=f"with {inputs[:200]}: {tell(wrong)}")
    return Criterion(name=name, passed=True, evidence=f"{len(gold.changed)} sets of inputs, {len(places)} cells agree")


def _format(calculated: Calculated, place: Place) -> str:
    return plain_format(calculated.book.file.cell(place).number_format)


def _formula(calculated: Calculated, place: Place) -> str:
    return calculated.book.file.cell(place).formula


def _judge_stored_values(made: Book, given: Book | None) -> Criterion:
    """What the file says its formulas came to is what they come to; a value that was stale before may stay so, and what
    programs are known to disagree about is left out."""
    known = name_differences(made.file, made.values)
    judged = _criterion("the values in the file are what its formulas come to", list_forged(made, given, known))
    if not known:
        return judged
    place, why = next(iter(known.items()))
    left_out = f"{len(known)} cells are left out, about which programs disagree: {place}, {why}"
    return judged.model_copy(update={"evidence": f"{judged.evidence}; {left_out}"})


def _judge_regression(params: SheetParams, made: Book, gold: Book, given: Book) -> Iterator[Criterion]:
    """What the task is not about is as it was."""
    allowed = {place for area in (*params.answers, *params.may_change) for place in list_places(area)}
    yield _criterion("other cells keep their values and formulas", list_touched(given, gold, made, allowed))
    yield _criterion("other cells keep their formats and styles", list_restyled(given, gold, made, allowed))
    yield _criterion("nothing is lost beside the cells", list_lost(given.file, gold.file, made.file))


def _criterion(name: str, findings: Iterable[str], *, gate: bool = False) -> Criterion:
    """Met when there is no finding."""
    found = list(findings)
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return Criterion(
        name=name, passed=not found, evidence="; ".join(found[:SHOWN]) + more or "nothing found", gate=gate
    )
