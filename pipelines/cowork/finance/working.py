"""A trace as a workbook: its values on a sheet, its calls as formulas, so that the working is judged and not only the
answer. The formulas must come to what the tools come to, as the figures are and as they are changed."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import openpyxl
from openpyxl.utils.datetime import to_excel

from crucible.documents import Office
from crucible.domains.office.sheets.comparing import are_same
from crucible.domains.office.sheets.workbook import read_values
from crucible.errors import Rejected
from crucible.record import Json
from pipelines.cowork.finance.model import Call, Input, Origin, Trace, Trail
from pipelines.cowork.finance.plans import find_plan, read_tool_facts
from pipelines.cowork.finance.tables import UNIT, Table
from pipelines.cowork.finance.tracing import Underivable, replay
from pipelines.cowork.workbooks.walks import pack

INPUTS, ANSWER, WORKING = "Inputs", "Answer", "Working"
CELL = f"{ANSWER}!B1"
TRIES = 24
"""How often inputs are drawn anew until the tools have an answer for them, and another one."""
LATEST_DAYS = 20
"""By so many days dates are moved at most."""

Changes = dict[str, dict[str, float | str]]


def has_formulas(trace: Trace) -> bool:
    """Whether every call can be written as a formula."""
    return all(read_tool_facts()[call.tool].get("formula") for call in trace.calls)


def build_workbooks(trail: Trail, files: Mapping[str, Table]) -> tuple[bytes, bytes]:
    """The workbook to begin with, and the one in which the working is done."""
    book = openpyxl.Workbook()
    _write_inputs(book.active, trail, files)
    page = book.create_sheet(ANSWER)
    page["A1"], page["C1"] = "Answer", trail.unit
    given = pack(book)
    page["B1"] = f"={_write_working(book.create_sheet(WORKING), trail.trace)}*{trail.scale:g}"
    return given, pack(book)


def _write_inputs(page: Any, trail: Trail, files: Mapping[str, Table]) -> None:
    page.title = INPUTS
    page.append(["Item", "Value", "Source"])
    page.column_dimensions["A"].width = page.column_dimensions["C"].width = 44
    for origin in list_inputs(trail.trace):
        value = read_origin(origin, trail.trace, files)
        shown = datetime.date.fromisoformat(value) if isinstance(value, str) else value
        page.append([_label(origin, trail, files), shown, "the question" if origin.kind == "question" else origin.name])


def list_inputs(trace: Trace) -> list[Origin]:
    """Everything that calls are given and no call gives: values of files, and what the question says."""
    found = [origin for call in trace.calls for each in call.inputs.values() for origin in each.origins]
    return list(dict.fromkeys(origin for origin in found if origin.kind != "call"))


def read_origin(origin: Origin, trace: Trace, files: Mapping[str, Table]) -> Json:
    return files[origin.name].values[origin.place] if origin.kind == "file" else trace.given[origin.name]


def _label(origin: Origin, trail: Trail, files: Mapping[str, Table]) -> str:
    """What a value is called: its row and column, its path, or what the plan calls it."""
    if origin.kind == "question":
        return find_plan(trail.plan).draws[origin.name].label
    if origin.place == UNIT:
        return "Size of the unit that amounts are in"
    line, colon, column = origin.place.partition(":")
    labels = {str(number): label for label, number in files[origin.name].rows.items()}
    return f"{labels[line]}, {column or 'date'}" if colon else origin.place


def _write_working(page: Any, trace: Trace) -> str:
    """A row for each call; gives the cell of the last."""
    places = {origin: f"{INPUTS}!$B${row}" for row, origin in enumerate(list_inputs(trace), start=2)}
    for row, call in enumerate(trace.calls, start=1):
        page[f"A{row}"], page[f"B{row}"] = call.id, f"={write_formula(call, places)}"
        places[Origin(kind="call", name=call.id)] = f"{WORKING}!$B${row}"
    return f"{WORKING}!$B${len(trace.calls)}"


def write_formula(call: Call, places: Mapping[Origin, str]) -> str:
    """A call as a formula, without its `=`."""
    cells = {name: _write_reference(each, places) for name, each in call.inputs.items()}
    return read_tool_facts()[call.tool]["formula"].format(**cells)


def _write_reference(each: Input, places: Mapping[Origin, str]) -> str:
    """The cell of a value; of a list the range, where its cells stand below each other."""
    cells = [places[origin] for origin in each.origins]
    rows = [int(cell.rpartition("$")[2]) for cell in cells]
    in_order = {cell.partition("!")[0] for cell in cells} == {INPUTS} and rows == list(range(rows[0], rows[-1] + 1))
    return f"{cells[0]}:$B${rows[-1]}" if in_order and len(cells) > 1 else ",".join(cells)


async def choose_changes(
    office: Office, gold: bytes, trail: Trail, files: Mapping[str, Table], count: int
) -> tuple[Changes, ...]:
    """Sets of changed inputs for which the tools have another answer. Rejected where the formulas disagree with the
    tools, for these or for the figures as they are."""
    draw = Random(trail.id)
    drawn = [_draw_changes(trail.trace, files, draw) for _ in range(TRIES)]
    answers = [(changes, _replay_changed(trail.trace, files, changes)) for changes in drawn]
    now = trail.value / trail.scale
    useful = [(changes, found) for changes, found in answers if found and not are_same(found, now)]
    chosen = useful[:count]
    if len(chosen) < count:
        raise Rejected("no_changed_inputs", "too few changes of the inputs change the answer")
    sets: list[Changes] = [
        {INPUTS: {f"B{row}": _count_days(value) for row, value in changes.items()}} for changes, _ in chosen
    ]
    _require_agreement(await office.calculate(gold, sets), [trail.value, *(found * trail.scale for _, found in chosen)])
    return tuple(sets)


def _count_days(value: float | str) -> float:
    """A date as the number that workbooks have for it."""
    return float(to_excel(datetime.date.fromisoformat(value))) if isinstance(value, str) else value


def _require_agreement(calculated: Sequence[Json], wanted: Sequence[float]) -> None:
    for found, value in zip(map(read_values, calculated), wanted, strict=True):
        if not are_same(value, shown := found[ANSWER].get("B1")):
            raise Rejected("engines_disagree", f"the tools come to {value:.10g}, the formulas to {shown}")


def _draw_changes(trace: Trace, files: Mapping[str, Table], draw: Random) -> dict[int, float | str]:
    """Other values for all inputs, by their row: a formula that has one of them written into it gives itself away. The
    size of a unit stays."""
    return {
        row: _change_value(read_origin(origin, trace, files), draw)
        for row, origin in enumerate(list_inputs(trace), start=2)
        if origin.place != UNIT
    }


def _change_value(value: Any, draw: Random) -> float | str:
    """A number somewhat off, or a date some days later."""
    if isinstance(value, str):
        later = datetime.timedelta(days=draw.randint(1, LATEST_DAYS))
        return (datetime.date.fromisoformat(value) + later).isoformat()
    return _change_number(float(value), draw)


def _change_number(value: float, draw: Random) -> float:
    """A number somewhat off; a whole one stays whole."""
    changed = value * draw.uniform(0.8, 1.25)
    return round(changed, 6) if value != int(value) else float(round(changed) if round(changed) != value else value + 1)


def _replay_changed(trace: Trace, files: Mapping[str, Table], changes: Mapping[int, float | str]) -> float | None:
    """What the tools come to with changed inputs; None where they come to nothing."""
    tables, given = dict(files), dict(trace.given)
    for row, origin in enumerate(list_inputs(trace), start=2):
        if row in changes and origin.kind == "file":
            tables[origin.name] = tables[origin.name].with_value(origin.place, changes[row])
        elif row in changes:
            given[origin.name] = changes[row]
    try:
        return float(replay(trace.model_copy(update={"given": given}), tables))
    except Underivable:
        return None
