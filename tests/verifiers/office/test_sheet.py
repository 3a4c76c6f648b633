"""A workbook is judged by what its formulas come to: right, right in another way, and wrong in every way we know."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font

from crucible.documents import Office
from crucible.domains.office.sheets.params import SheetParams
from crucible.errors import Undecided
from crucible.model import Agent, Criterion, Task, Trajectory
from crucible.sandbox import Env
from crucible.store.blobs import Blobs
from tests.agents.directory import DirectoryBox
from verifiers.office.sheet import sheet

pytestmark = pytest.mark.slow

TASK = Task(domain="cowork", kind="sheet", instruction="total each row", env=Env(workdir="", leaves="files"))
ATTEMPT = Trajectory(
    task_id=TASK.id, agent=Agent(scaffold="native", teacher="x"), system="", prompt="", ended="submitted"
)
Edit = Callable[[Any], object]


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(str(tmp_path / "blobs"))


def given_workbook() -> Any:
    """Two quarters' sales of three shops, with a chart and a name; nothing is added up."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = "Sales"
    for row in (["shop", "first", "second", "total"], ["Ash", 10, 20], ["Birch", 30, 40], ["Cedar", 5, 6]):
        page.append(row)
    page["A1"].font = Font(name="Calibri", bold=True)
    chart = BarChart()
    chart.add_data(Reference(page, min_col=2, min_row=1, max_row=4), titles_from_data=True)
    page.add_chart(chart, "F2")
    notes = book.create_sheet("Notes")
    notes["A1"] = "checked by hand"
    notes["B1"] = "=SUM(Sales!B2:B4)"
    book.defined_names["first_quarter"] = openpyxl.workbook.defined_name.DefinedName(
        "first_quarter", attr_text="Sales!$B$2:$B$4"
    )
    return book


def pack(book: Any) -> bytes:
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def fill(formula: str) -> Edit:
    """Write a formula for each total; ROW stands for the row's number."""

    def edit(book: Any) -> None:
        for row in (2, 3, 4):
            book["Sales"][f"D{row}"] = formula.replace("ROW", str(row))

    return edit


def type_in(book: Any) -> None:
    for row, total in ((2, 30), (3, 70), (4, 11)):
        book["Sales"][f"D{row}"] = total


def made(*edits: Edit) -> bytes:
    book = given_workbook()
    for edit in edits:
        edit(book)
    return pack(book)


RIGHT = fill("=B ROW+C ROW".replace(" ", ""))


async def judge(data: bytes | None, office: Office, blobs: Blobs, tmp_path: Path) -> dict[str, Criterion]:
    params = SheetParams(
        path="answer.xlsx",
        gold=blobs.put(made(RIGHT)),
        given=blobs.put(made()),
        answers=("Sales!D2:D4",),
        changes=({"Sales": {"B2": 17, "C4": 1000}}, {"Sales": {"C2": -3.5, "B3": 0}}),
    )
    box = DirectoryBox(tmp_path)
    if data is not None:
        await box.write("answer.xlsx", data)
    found = {}
    async for criterion in sheet(TASK, ATTEMPT, box, params=params, blobs=blobs, office=office):
        found[criterion.name] = criterion
    return found


def list_failed(criteria: dict[str, Criterion]) -> dict[str, str]:
    return {name: criterion.evidence for name, criterion in criteria.items() if not criterion.passed}


@pytest.mark.parametrize("formula", ["=BROW+CROW", "=SUM(BROW:CROW)", "=SUMPRODUCT((BROW:CROW)*1)"])
async def test_any_right_formula_passes(formula: str, office: Office, blobs: Blobs, tmp_path: Path) -> None:
    assert list_failed(await judge(made(fill(formula)), office, blobs, tmp_path)) == {}


async def test_what_was_saved_by_another_program_passes(office: Office, blobs: Blobs, tmp_path: Path) -> None:
    assert list_failed(await judge(await office.recalculate(made(RIGHT)), office, blobs, tmp_path)) == {}


async def test_a_function_that_only_the_second_engine_knows_is_right(
    office: Office, blobs: Blobs, tmp_path: Path
) -> None:
    stacked = fill("=SUM(_xlfn.VSTACK(BROW,CROW))")
    assert list_failed(await judge(made(stacked), office, blobs, tmp_path)) == {}
    wrong = list_failed(await judge(made(fill("=SUM(_xlfn.VSTACK(BROW,BROW))")), office, blobs, tmp_path))
    assert "Sales!D2:D4 is right" in wrong


async def test_a_function_that_no_engine_knows_is_not_held_against_the_attempt(
    office: Office, blobs: Blobs, tmp_path: Path
) -> None:
    with pytest.raises(Undecided, match=r"Sales!D2 calls IMAGE"):
        await judge(made(fill('=_xlfn.IMAGE("x")')), office, blobs, tmp_path)


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ((), {"Sales!D2:D4 is right", "Sales!D2:D4 follows when its inputs change"}),
        ((type_in,), {"Sales!D2:D4 follows when its inputs change"}),
        ((fill("=BROW-CROW"),), {"Sales!D2:D4 is right", "Sales!D2:D4 follows when its inputs change"}),
        (
            (fill("=BROW/0"),),
            {"no cell shows a new error", "Sales!D2:D4 is right", "Sales!D2:D4 follows when its inputs change"},
        ),
        ((RIGHT, lambda book: book["Sales"].__setitem__("B2", 11)), {"Sales!D2:D4 is right"}),
        ((RIGHT, lambda book: book["Notes"].__setitem__("B1", 45)), {"other cells keep their values and formulas"}),
        ((RIGHT, lambda book: book["Notes"].__setitem__("C9", "x")), {"other cells keep their values and formulas"}),
        ((RIGHT, lambda book: book.remove(book["Notes"])), {"nothing is lost beside the cells"}),
        ((RIGHT, lambda book: book["Sales"]._charts.clear()), {"nothing is lost beside the cells"}),
        ((RIGHT, lambda book: book.defined_names.clear()), {"nothing is lost beside the cells"}),
        (
            (RIGHT, lambda book: setattr(book["Sales"]["A1"], "font", Font(name="Calibri", bold=False))),
            {"other cells keep their formats and styles"},
        ),
    ],
    ids=[
        "untouched", "typed in", "wrong formula", "error", "input changed", "formula frozen", "stray cell",
        "sheet lost", "chart lost", "name lost", "style lost",
    ],
)  # fmt: skip
async def test_each_fault_is_found_by_what_is_about_it(
    edits: tuple[Edit, ...], wanted: set[str], office: Office, blobs: Blobs, tmp_path: Path
) -> None:
    failed = list_failed(await judge(made(*edits), office, blobs, tmp_path))
    assert wanted <= set(failed), failed


async def test_a_forged_stored_value_is_not_believed(office: Office, blobs: Blobs, tmp_path: Path) -> None:
    wrong = await office.recalculate(made(fill("=BROW-CROW")))
    failed = list_failed(await judge(rewrite(wrong, b"<v>-10</v>", b"<v>30</v>"), office, blobs, tmp_path))
    assert "Sales!D2 says 30 and comes to -10" in failed["the values in the file are what its formulas come to"]
    assert "Sales!D2:D4 is right" in failed


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "answer.xlsx"),
        (b"", "empty"),
        (b"\xd0\xcf\x11\xe0" + bytes(600), "encrypted, or of a format before 2007"),
        (b"PK\x03\x04 and nothing else", "damaged"),
        (b"shop,total\nAsh,30\n", "damaged"),
    ],
)
async def test_what_is_no_workbook_is_refused_with_the_reason(
    data: bytes | None, why: str, office: Office, blobs: Blobs, tmp_path: Path
) -> None:
    [opens] = (await judge(data, office, blobs, tmp_path)).values()
    assert not opens.passed
    assert opens.gate
    assert why in opens.evidence


async def test_bombs_and_entities_are_refused_unopened(office: Office, blobs: Blobs, tmp_path: Path) -> None:
    bomb = add_part(made(RIGHT), "xl/media/zeros.bin", bytes(200 << 20))
    [opens] = (await judge(bomb, office, blobs, tmp_path)).values()
    assert "unpacks to" in opens.evidence
    lol = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>'
    [opens] = (await judge(add_part(made(RIGHT), "xl/extra.xml", lol), office, blobs, tmp_path)).values()
    assert "declares entities" in opens.evidence


async def test_a_macro_is_a_reason_to_refuse(office: Office, blobs: Blobs, tmp_path: Path) -> None:
    failed = list_failed(await judge(add_part(made(RIGHT), "xl/vbaProject.bin", b"x"), office, blobs, tmp_path))
    assert failed == {"it brings no macro and no link to another file": "macros"}


def add_part(workbook: bytes, name: str, content: bytes) -> bytes:
    packed = io.BytesIO(workbook)
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return packed.getvalue()


def rewrite(workbook: bytes, old: bytes, new: bytes) -> bytes:
    """The workbook with other bytes in its first sheet."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as before, zipfile.ZipFile(packed, "w") as after:
        for part in before.namelist():
            content = before.read(part)
            after.writestr(part, content.replace(old, new) if part == "xl/worksheets/sheet1.xml" else content)
    return packed.getvalue()
