"""Tables rebuilt from a document: authored workbooks, right and wrong in every way we know; and models that tie."""

from __future__ import annotations

import io
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
import pytest
import pytest_asyncio

from crucible.documents import Office
from crucible.domains.office.sheets.labelled import TableParams
from crucible.domains.office.sheets.params import SheetParams
from crucible.domains.office.sheets.ties import Tie, TiesParams
from crucible.mining import MiningContext
from crucible.model import Agent, Criterion, Task, Trajectory
from crucible.running.run import open_run
from crucible.sandbox import Env, World
from crucible.serving import GivenServices
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import open_services
from crucible.store.blobs import Blobs
from pipelines.cowork.documents.reading import read_blocks, read_tables
from pipelines.cowork.modelling.building import build_model
from pipelines.cowork.modelling.source import model_cases
from pipelines.cowork.modelling.writing import make_model_task
from services.office.settings import OfficeSettings
from tests.agents.directory import DirectoryBox
from verifiers.office.sheet import sheet
from verifiers.office.table import table
from verifiers.office.ties import ties

pytestmark = pytest.mark.slow

SAMPLES, MODELS = Path("sample_data/cowork/documents"), Path("sample_data/cowork/models")
AUTHORED: dict[str, Any] = tomllib.loads((SAMPLES / "attempts.toml").read_text())
JUDGED = 2
"""How many authored attempts that pass are judged, and how many that do not: each takes seconds."""
TASK = Task(domain="cowork", kind="rebuild-html", instruction="rebuild it", env=Env(workdir="", leaves="files"))
ATTEMPT = Trajectory(
    task_id=TASK.id, agent=Agent(scaffold="native", teacher="x"), system="", prompt="", ended="submitted"
)


@pytest_asyncio.fixture(scope="module")
async def office(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Office]:
    options = OfficeSettings(seconds=300, start_seconds=300)
    docker = DockerSettings(pool=0, open_seconds=300)
    settings = Settings(home=tmp_path_factory.mktemp("office"), docker=docker, sections={"office": options})
    with open_run(settings) as run:
        async with open_services(run) as services:
            yield await services.get("office")


def choose_attempts(authored: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """A few of those that pass and a few of those that do not."""
    attempts = list(authored["attempt"].items())
    kinds = ([each for each in attempts if each[1]["passes"] is passes] for passes in (True, False))
    return [each for kind in kinds for each in Random(1).sample(kind, min(JUDGED, len(kind)))]


def write_rows(rows: list[list[Any]], changes: dict[str, Any]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append([None if value == "" else value for value in row])
    for at, value in changes.items():
        book.active[at] = value
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


async def judge_table(data: bytes, office: Office, folder: Path) -> dict[str, Criterion]:
    params = TableParams(path="tables.xlsx", tables=read_tables(read_blocks((SAMPLES / AUTHORED["page"]).read_bytes())))
    (folder / "tables.xlsx").write_bytes(data)
    return {
        criterion.name: criterion
        async for criterion in table(TASK, ATTEMPT, DirectoryBox(folder), params=params, office=office)
    }


async def test_authored_workbooks_are_judged_as_they_deserve(office: Office, tmp_path: Path) -> None:
    for name, told in choose_attempts(AUTHORED):
        criteria = await judge_table(write_rows(AUTHORED["rows"], told.get("set", {})), office, tmp_path)
        unmet = {each.name: each.evidence for each in criteria.values() if not each.passed}
        assert (not unmet) is told["passes"], f"{name}: {unmet}"


@pytest.mark.parametrize("data", [b"", b"Customer,Loaves\n"])
async def test_what_is_no_workbook_is_refused(data: bytes, office: Office, tmp_path: Path) -> None:
    [opens] = (await judge_table(data, office, tmp_path)).values()
    assert opens.gate
    assert not opens.passed


@pytest.mark.parametrize(("total", "holds"), [("=B1+B2", True), ("=SUM(B1:B2)", True), (100, False), ("=B1+30", False)])
async def test_a_tie_must_hold_with_changed_inputs_too(
    total: str | int, holds: bool, office: Office, tmp_path: Path
) -> None:
    data = write_rows([["debt", 70], ["equity", 30], ["all", total]], {})
    (tmp_path / "model.xlsx").write_bytes(data)
    sources = Tie(name="sources", left=("Sheet!B3",), right=("Sheet!B1:B2",))
    params = TiesParams(path="model.xlsx", ties=(sources,), changes=({"Sheet": {"B2": 45}},))
    found = [each async for each in ties(TASK, ATTEMPT, DirectoryBox(tmp_path), params=params, office=office)]
    assert [each.passed for each in found] == [True, holds]


async def test_authored_models_are_judged_as_they_deserve(office: Office, world: World, tmp_path: Path) -> None:
    blobs = Blobs(str(tmp_path / "blobs"))
    context = MiningContext(world=world, blobs=blobs, services=GivenServices({"office": office}))
    authored = tomllib.loads((MODELS / "attempts.toml").read_text())
    cases = {case.name: case async for case in model_cases(str(MODELS), context)}
    [model] = await build_model(cases[authored["case"]], context)
    task = make_model_task(model, 0)
    ties_params, sheet_params = (check.params for check in task.checks)
    box = DirectoryBox(tmp_path)
    for name, told in choose_attempts(authored):
        await box.write(f"{model.case.name}.xlsx", set_cells(blobs.get(model.gold), told.get("set", {})))
        known, asked = TiesParams.model_validate(ties_params), SheetParams.model_validate(sheet_params)
        found = [each async for each in ties(TASK, ATTEMPT, box, params=known, office=office)]
        found += [each async for each in sheet(TASK, ATTEMPT, box, params=asked, blobs=blobs, office=office)]
        unmet = {each.name: each.evidence for each in found if not each.passed}
        assert (not unmet) is told["passes"], f"{name}: {unmet}"


def set_cells(workbook: bytes, changes: dict[str, Any]) -> bytes:
    """The workbook with other values or formulas in some cells, by sheet and cell."""
    book = openpyxl.load_workbook(io.BytesIO(workbook))
    for at, value in changes.items():
        page, _, cell = at.partition("!")
        book[page][cell] = value or None
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()
