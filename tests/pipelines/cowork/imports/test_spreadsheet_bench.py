"""A release of SpreadsheetBench becomes drafts, but for rows that no attempt could be told from idleness by."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from crucible.domains.office.sheets.params import SheetParams
from crucible.mining import ImportPlace
from crucible.model import Task
from crucible.running.run import open_run
from crucible.settings import Settings
from crucible.stages.import_tasks import import_tasks
from crucible.store.funnel import count_funnel
from crucible.store.lookup import list_items
from pipelines.cowork.imports.rows import list_answers


@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ("H3:H5", ("First!H3:H5",)),
        ("'Paid'!A1:D43,'Not paid'!A1:D7", ("Paid!A1:D43", "'Not paid'!A1:D7")),
        ("Report'!a2:f5", ("Report!A2:F5",)),
        ("'Sheet 1'!'B2:B8'", ("'Sheet 1'!B2:B8",)),
    ],
)
def test_areas_are_read_however_they_are_quoted(text: str, areas: tuple[str, ...]) -> None:
    assert list_answers(text, "First") == areas


def test_what_names_no_cells_is_no_answer() -> None:
    with pytest.raises(ValueError, match="names no cells"):
        list_answers("the third column", "First")


def save(folder: Path, name: str, **cells: Any) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Sheet1"
    for at, value in {"A1": 4, "A2": 6, **cells}.items():
        book.active[at] = value
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / name)


def store_value(workbook: Path, value: str) -> None:
    """Give the workbook's only formula the value that another program would have stored."""
    with zipfile.ZipFile(workbook) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    with zipfile.ZipFile(workbook, "w") as book:
        for name, data in parts.items():
            book.writestr(name, data.replace(b"</f><v />", f"</f><v>{value}</v>".encode()))


def write_release(folder: Path) -> None:
    """A formula, a constant, an answer that is there already, another by a function that the suite does not know, and a
    row without its workbooks."""
    answers: dict[str, dict[str, Any]] = {"1-1": {"B1": "=A1+A2"}, "2-2": {"B1": "ten"}, "3-3": {"B1": None}}
    for name, cells in answers.items():
        save(folder / "spreadsheet" / name, f"1_{name}_input.xlsx")
        save(folder / "spreadsheet" / name, f"1_{name}_answer.xlsx", **cells)
    for kind in ("input", "answer"):
        save(folder / "spreadsheet/5-5", f"1_5-5_{kind}.xlsx", B1="=_xlfn.TAKE(A1:A2,1)")
        store_value(folder / "spreadsheet/5-5" / f"1_5-5_{kind}.xlsx", "4")
    rows = [
        {"id": name, "instruction": "Fill B1.", "spreadsheet_path": f"spreadsheet/{name}", "answer_position": "B1"}
        for name in (*answers, "4-4", "5-5")
    ]
    (folder / "dataset.json").write_text(json.dumps(rows))


@pytest.mark.slow
async def test_rows_become_drafts_or_are_dropped_with_the_reason(tmp_path: Path) -> None:
    write_release(tmp_path / "release")
    with open_run(Settings(home=tmp_path / "home")) as run:
        await import_tasks(run, "spreadsheet-bench", ImportPlace(tmp_path / "release"))
        drafts = [item.record(Task) for item in list_items(run.ledger, "draft")]
        [stage] = [stage for stage in count_funnel(run.ledger).stages if stage.stage == "spreadsheet-bench.read"]
    tasks = {task.provenance.source: task for task in drafts}
    assert set(tasks) == {"spreadsheet-bench:1-1", "spreadsheet-bench:2-2"}
    assert stage.reasons == {"answer_is_given": 2, "no_workbook": 1}
    formula, constant = (
        SheetParams.model_validate(tasks[f"spreadsheet-bench:{name}"].checks[0].params) for name in ("1-1", "2-2")
    )
    assert formula.answers == ("Sheet1!B1",)
    assert formula.changes
    assert not constant.changes
    assert "write formulas" in tasks["spreadsheet-bench:1-1"].instruction
