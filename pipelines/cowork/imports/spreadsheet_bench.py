"""The importer `spreadsheet-bench`: rows of SpreadsheetBench (its samples, all 912, the verified 400) to drafts.

What the benchmark leaves open is closed here: answers that the given workbook shows already are dropped, and answers
that are formulas must follow when their inputs change, or at least be formulas.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from crucible.documents import Office
from crucible.domains.office.sheets.comparing import RELATIVE, compare_values
from crucible.domains.office.sheets.params import SheetParams
from crucible.domains.office.sheets.references import find_inputs, find_unforeseeable
from crucible.domains.office.sheets.second_opinion import trust_reference
from crucible.domains.office.sheets.workbook import (
    BadWorkbook,
    ErrorValue,
    Place,
    Value,
    Values,
    Workbook,
    list_places,
    read_values,
    read_workbook,
)
from crucible.domains.office.world import work_env
from crucible.errors import DocumentFailed, Rejected
from crucible.mining import Importer, MiningContext, Pipeline, Stage
from crucible.model import Check, Provenance, Reference, Task
from crucible.parts import importer
from pipelines.cowork.imports.rows import BenchRow, list_answers, read_bench_rows
from pipelines.cowork.workbooks.changing import CHANGED_CELLS, Changes, change_value
from pipelines.cowork.writing import read_phrases

PATH = "workbook.xlsx"
TRIES, SETS = 6, 2
"""How many sets of changed inputs are drawn, and how many are kept of those that show."""
FOLLOWED = 12
"""The inputs of so many formulas are looked for: a column of thousands is much alike."""


@importer("spreadsheet-bench")
def spreadsheet_bench() -> Importer:
    """SpreadsheetBench releases, unpacked: a dataset.json and folders of workbooks."""
    return Importer(read_bench_rows, Pipeline("spreadsheet-bench", stages=(Stage("read", BenchRow, make_draft),)))


async def make_draft(row: BenchRow, context: MiningContext) -> Sequence[Task]:
    """The draft of a row. Rejected with the reason where its files or its answers cannot be judged by."""
    if not row.gold:
        raise Rejected("no_workbook", "the given or the right workbook of its first case is missing")
    office: Office = await context.services.get("office")
    try:
        given = await read_workbook(office, context.blobs.get(row.given))
        gold = await read_workbook(office, context.blobs.get(row.gold))
        answers = list_answers(row.answers, next(iter(gold.cells)))
        params = await _make_params(row, context, office, given, gold, answers)
    except (BadWorkbook, DocumentFailed) as fault:
        raise Rejected("unreadable_workbook", str(fault)) from None
    except ValueError as fault:
        raise Rejected("no_answer_cells", str(fault)) from None
    return [_write_task(row, params)]


async def _make_params(
    row: BenchRow, context: MiningContext, office: Office, given: Workbook, gold: Workbook, answers: tuple[str, ...]
) -> SheetParams:
    """What is asked of an attempt, once it is clear that it can be told from no attempt at all."""
    places = [place for area in answers for place in list_places(area)]
    if missing := {place.sheet for place in places} - gold.cells.keys():
        raise Rejected("no_answer_cells", f"the right workbook has no sheet {', '.join(sorted(missing))}")
    if find_unforeseeable(gold) & set(places):
        raise Rejected("unforeseeable_answer", "an answer is another one each time, or comes from outside the workbook")
    data = context.blobs.get(row.gold)
    formulas = [place for place in places if gold.cell(place).formula]
    drawn = draw_changes(gold, formulas, Random(row.id)) if formulas else []
    first, *changed = map(read_values, await office.calculate(data, drawn))
    again = await office.cross_check(data) if formulas else None
    wanted = trust_reference(gold, first, read_values(again[0]) if again else None, RELATIVE)
    [before] = map(read_values, await office.calculate(context.blobs.get(row.given)))
    shown = trust_reference(given, before, None, RELATIVE)
    if not compare_values(wanted, before, places) or not compare_values(wanted, shown, places):
        raise Rejected("answer_is_given", "the given workbook shows the answers already")
    useful = [each for each, values in zip(drawn, changed, strict=True) if _shows(first, values, formulas)]
    return SheetParams(
        path=PATH,
        gold=row.gold,
        given=row.given,
        sheets=tuple(given.cells),
        answers=answers,
        changes=tuple(useful[:SETS]),
        formulas=bool(formulas) and not useful,
    )


def draw_changes(gold: Workbook, formulas: Sequence[Place], draw: Random) -> list[Changes]:
    """Sets of other values for constants that the answers are calculated from."""
    some = draw.sample(formulas, min(FOLLOWED, len(formulas)))
    inputs = sorted(find_inputs(gold, some) - set(formulas))
    sets: list[Changes] = []
    for _ in range(TRIES if inputs else 0):
        changes: Changes = {}
        for place in draw.sample(inputs, min(CHANGED_CELLS, len(inputs))):
            if (value := change_value(gold.cell(place).stored, draw)) is not None:
                changes.setdefault(place.sheet, {})[place.cell] = value
        sets += [changes] if changes else []
    return sets


def _shows(first: Values, changed: Values, formulas: Sequence[Place]) -> bool:
    """Whether an answer is another one after the change, and none becomes an error."""

    def broken(place: Place) -> bool:
        return isinstance(_value(changed, place), ErrorValue) and _value(changed, place) != _value(first, place)

    return not any(map(broken, formulas)) and bool(compare_values(first, changed, formulas))


def _value(values: Values, place: Place) -> Value | ErrorValue:
    return values.get(place.sheet, {}).get(place.cell)


def _write_task(row: BenchRow, params: SheetParams) -> Task:
    env = work_env({PATH: row.given}, (PATH,))
    phrases = read_phrases()["bench"]
    lines = [phrases["intro"].format(path=PATH, workdir=env.workdir), "", row.instruction.strip(), ""]
    lines.append(phrases["answers"].format(answers=", ".join(params.answers)))
    if params.formulas or params.changes:
        lines.append(phrases["formulas"])
    return Task(
        domain="cowork",
        kind="sheet-request",
        instruction="\n".join(lines),
        env=env,
        checks=(Check(verifier="sheet", params=params.model_dump(mode="json")),),
        reference=Reference(blobs={PATH: row.gold}),
        provenance=Provenance(source=f"spreadsheet-bench:{row.id}", licence="CC-BY-SA-4.0", author="SpreadsheetBench"),
        labels={"instruction_type": row.kind},
    )
