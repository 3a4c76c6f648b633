"""The stage `derive` for modelling: a template filled with a case, calculated, and found to tie."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import openpyxl
from openpyxl.styles import Font

from crucible.documents import Office
from crucible.domains.office.sheets.comparing import compare_values
from crucible.domains.office.sheets.ties import Tie, list_broken
from crucible.domains.office.sheets.workbook import Values, list_places, read_values
from crucible.errors import Rejected
from crucible.mining import MiningContext
from pipelines.cowork.modelling.layout import INPUTS, Layout, lay_out, list_answers
from pipelines.cowork.modelling.model import (
    FinancialModel,
    ModelCase,
    SheetPlan,
    Template,
    list_templates,
    read_template,
)
from pipelines.cowork.settings import CoworkSettings
from pipelines.cowork.workbooks.walks import pack

BLUE = Font(color="FF0000FF")
"""Inputs are blue, as modellers have them."""
FORMATS = {"percent": "0.0%", "times": "0.0x", "shares": "#,##0", "money": "#,##0.0", "price": "#,##0.00"}
NUDGE = 1.03
"""By what one input is multiplied to see whether an answer depends on it."""

Changes = dict[str, dict[str, float | str]]


async def build_model(case: ModelCase, context: MiningContext) -> Sequence[FinancialModel]:
    """The model of a case, with sets of changed inputs for which it ties too."""
    if case.template not in list_templates():
        raise Rejected("unknown_template", f"'{case.template}'; there are: {', '.join(list_templates())}")
    template = read_template(case.template)
    if missing := {line.key for line in template.input} ^ case.inputs.keys():
        raise Rejected("wrong_inputs", f"missing or unknown: {', '.join(sorted(missing))}")
    layout = lay_out(template)
    given, gold = await asyncio.to_thread(build_workbooks, template, case, layout)
    rules = dict(answer for sheet in template.sheet for answer in list_answers(sheet, layout))
    ties = tuple(place_tie(tie, layout) for tie in template.tie)
    changes = _draw_changes(case, layout, context.section(CoworkSettings))
    office: Office = await context.services.get("office")
    await _require_sound(office, gold, ties, tuple(rules), changes, _nudge_each(case, layout))
    return [
        FinancialModel(
            case=case,
            given=context.blobs.put(given),
            gold=context.blobs.put(gold),
            sheets=(INPUTS, *(sheet.name for sheet in template.sheet)),
            answers=tuple(rules),
            ties=ties,
            changes=changes,
            rules=rules,
        )
    ]


def build_workbooks(template: Template, case: ModelCase, layout: Layout) -> tuple[bytes, bytes]:
    """The workbook to be completed, and the completed one."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = INPUTS
    page.append([f"{case.title}: {template.title}", "Value", f"Unit ({case.currency})"])
    for row, line in enumerate(template.input, start=2):
        page.append([line.label, case.inputs[line.key], line.unit])
        page[f"B{row}"].font, page[f"B{row}"].number_format = BLUE, FORMATS[line.unit]
    page.column_dimensions["A"].width = 60
    for sheet in template.sheet:
        _write_labels(book.create_sheet(sheet.name), sheet, template, layout)
    given = pack(book)
    for sheet in template.sheet:
        _write_formulas(book[sheet.name], sheet, layout)
    return given, pack(book)


def _write_labels(page: Any, sheet: SheetPlan, template: Template, layout: Layout) -> None:
    page.append(["Item", *([f"Year {year}" for year in range(1, template.years + 1)] if sheet.yearly else ["Value"])])
    page.column_dimensions["A"].width = 60
    for row in sheet.rows:
        page.append([row.label])
    if sheet.table:
        spot = layout.tables[sheet.table.key]
        page.cell(spot.row - 1, 1).value = sheet.table.label
        for number, head in enumerate(sheet.table.across, start=2):
            page.cell(spot.row, number).value = _write_head(head, layout)
        for number, head in enumerate(sheet.table.down, start=1):
            page.cell(spot.row + number, 1).value = _write_head(head, layout)


def _write_head(head: float | str, layout: Layout) -> float | str:
    return f"={layout.write(head)}" if isinstance(head, str) else head


def _write_formulas(page: Any, sheet: SheetPlan, layout: Layout) -> None:
    for row in sheet.rows:
        spot = layout.lines[row.key]
        for column in range(1, spot.columns + 1):
            formula = row.first if row.first and column == 1 else row.formula
            page.cell(spot.row, column + 1).value = f"={layout.write(formula, column)}"
    if sheet.table:
        corner = layout.tables[sheet.table.key]
        for down in range(1, len(sheet.table.down) + 1):
            for across in range(1, len(sheet.table.across) + 1):
                heads = {
                    "across": page.cell(corner.row, across + 1).coordinate,
                    "down": page.cell(corner.row + down, 1).coordinate,
                }
                page.cell(corner.row + down, across + 1).value = f"={layout.write(sheet.table.formula, **heads)}"


def place_tie(tie: Tie, layout: Layout) -> Tie:
    """A tie with cells in the place of keys."""
    left, right = (tuple(layout.write(area).replace("$", "") for area in areas) for areas in (tie.left, tie.right))
    return tie.model_copy(update={"left": left, "right": right})


def _draw_changes(case: ModelCase, layout: Layout, options: CoworkSettings) -> tuple[Changes, ...]:
    """All inputs somewhat off, set by set."""
    draw = Random(f"{options.seed} {case.id}")
    return tuple(
        {
            INPUTS: {
                input_cell(key, layout): round(value * draw.uniform(0.9, 1.12), 6) for key, value in case.inputs.items()
            }
        }
        for _ in range(options.changed_inputs)
    )


def _nudge_each(case: ModelCase, layout: Layout) -> list[Changes]:
    """Each input a little off, on its own."""
    return [{INPUTS: {input_cell(key, layout): value * NUDGE}} for key, value in case.inputs.items()]


def input_cell(key: str, layout: Layout) -> str:
    return layout.lines[key].cell(1).partition("!")[2]


async def _require_sound(
    office: Office,
    gold: bytes,
    ties: tuple[Tie, ...],
    answers: tuple[str, ...],
    changes: Sequence[Changes],
    nudges: Sequence[Changes],
) -> None:
    """Rejected unless the model ties with all inputs, every input matters, and every answer follows."""
    first, *others = map(read_values, await office.calculate(gold, [*changes, *nudges]))
    changed, nudged = others[: len(changes)], others[len(changes) :]
    for values in (first, *changed):
        if broken := next(list_broken(ties, values), None):
            raise Rejected("does_not_tie", ": ".join(broken))
    for area in answers:
        require_following(area, first, changed)
    places = [place for area in answers for place in list_places(area)]
    for nudge, values in zip(nudges, nudged, strict=True):
        if not compare_values(first, values, places):
            raise Rejected("superfluous_input", f"no answer depends on {nudge}")


def require_following(area: str, first: Values, changed: Sequence[Values]) -> None:
    """Rejected unless all cells of an area show numbers, and some cell shows others with changed inputs."""
    places = list(list_places(area))
    for values in (first, *changed):
        for place in places:
            if not isinstance(values.get(place.sheet, {}).get(place.cell), int | float):
                raise Rejected("no_number", f"{place} shows none")
    if not any(compare_values(first, values, places) for values in changed):
        raise Rejected("answer_does_not_follow", area)
