"""The office suite on real documents: values that lie, documents that are none, a suite that hangs."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator
from pathlib import Path

import PIL.Image
import pytest
import pytest_asyncio

from crucible.errors import DocumentFailed
from crucible.running.run import open_run
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import open_services
from services.office.service import BoxedOffice
from services.office.settings import OfficeSettings
from tests.services.office.test_slim_deck import make_deck
from tests.services.office.workbooks import forged_workbook, read_sheet

pytestmark = pytest.mark.slow


@pytest_asyncio.fixture(scope="module")
async def office(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[BoxedOffice]:
    options = OfficeSettings(seconds=300, start_seconds=300)
    docker = DockerSettings(pool=0, open_seconds=300)
    home = tmp_path_factory.mktemp("office")
    with open_run(Settings(home=home, docker=docker, sections={"office": options})) as run:
        async with open_services(run) as services:
            yield await services.get("office")


async def test_a_forged_cached_value_is_recalculated(office: BoxedOffice) -> None:
    forged = forged_workbook("999")
    assert re.search(r"<f>A1\+B1</f><v>999</v>", read_sheet(forged))
    sheet = read_sheet(await office.recalculate(forged))
    assert re.search(r"<f[^>]*>A1\+B1</f><v>5</v>", sheet)
    assert "999" not in sheet


async def test_a_second_engine_comes_to_the_same_and_follows_changed_inputs(office: BoxedOffice) -> None:
    again = await office.cross_check(await office.recalculate(forged_workbook("999")), [{"Sums": {"A1": 40}}])
    assert again == [{"Sums": {"C1": 5}}, {"Sums": {"C1": 43}}]


async def test_a_file_that_the_second_engine_cannot_read_has_no_second_opinion(office: BoxedOffice) -> None:
    [worker] = office.workers
    starts = worker.starts
    assert await office.cross_check(b"PK\x03\x04 no workbook") is None
    assert worker.starts == starts


async def test_documents_are_converted_one_after_the_other_by_one_suite(office: BoxedOffice) -> None:
    [worker] = office.workers
    made = await asyncio.gather(*(office.convert(forged_workbook(f"{n}"), "xlsx", "csv") for n in range(4)))
    assert made == [b"2,3,5\n"] * 4
    assert worker.starts == 1


async def test_pages_are_rendered_as_pictures(office: BoxedOffice) -> None:
    [page] = await office.render_pages(forged_workbook("999"), "xlsx", dpi=40)
    assert page.startswith(b"\x89PNG")
    text = await office.convert(b"One page,\nof plain text.\n", "txt", "pdf")
    assert text.startswith(b"%PDF")
    assert len(await office.render_pages(text, "pdf", dpi=20)) == 1


async def test_a_deck_is_printed_as_it_is_with_all_its_layouts(office: BoxedOffice, tmp_path: Path) -> None:
    source = make_deck(tmp_path / "in.pptx", 0, 1, 5).read_bytes()
    printed = await office.print_pages(source, "pptx", dpi=40)
    again = await office.print_pages(await office.convert(source, "pptx", "odp"), "odp", dpi=40)
    assert [page.words for page in printed] == [page.words for page in again]
    pictures = [PIL.Image.open(io.BytesIO(page.picture)).convert("L") for page in printed]
    assert [picture.size for picture in pictures] == [(400, 300)] * 3
    assert all(picture.getextrema()[0] < 100 for picture in pictures)


@pytest.mark.parametrize(
    ("document", "source", "target", "why"),
    [
        (b"PK\x03\x04 no workbook", "xlsx", "csv", "cannot be used"),
        (b"plain", "txt", "miracle", "is not written as miracle; it is as: docx"),
        (b"plain", "txt", "../../x", "no suffix"),
    ],
)
async def test_what_cannot_be_opened_or_written_says_why(
    document: bytes, source: str, target: str, why: str, office: BoxedOffice
) -> None:
    with pytest.raises(DocumentFailed, match=why):
        await office.convert(document, source, target)


async def test_a_suite_that_hangs_is_replaced_and_the_next_document_is_worked_on(
    office: BoxedOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    [worker] = office.workers
    starts = worker.starts
    await worker.box.exec("kill -STOP -- -$(cat /tmp/office.pid)")
    monkeypatch.setattr(worker, "settings", worker.settings.model_copy(update={"seconds": 5.0}))
    with pytest.raises(DocumentFailed, match="timeout"):
        await office.convert(forged_workbook("1"), "xlsx", "csv")
    monkeypatch.undo()
    assert await office.convert(forged_workbook("1"), "xlsx", "csv") == b"2,3,5\n"
    assert worker.starts == starts + 1


async def test_a_suite_that_was_killed_is_replaced_at_once(office: BoxedOffice) -> None:
    [worker] = office.workers
    await worker.box.exec("kill -KILL -- -$(cat /tmp/office.pid)")
    assert await office.convert(forged_workbook("1"), "xlsx", "csv") == b"2,3,5\n"
