"""An edited deck is judged by what its slides say and show: right, untouched, the wrong slide, damage beside it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches

from crucible.documents import Office
from crucible.domains.office.decks.params import DeckParams
from crucible.model import Agent, Criterion, Task, Trajectory
from crucible.sandbox import Env
from crucible.store.blobs import Blobs
from tests.agents.directory import DirectoryBox
from verifiers.office.deck import deck

pytestmark = pytest.mark.slow

GIVEN = Path("sample_data/cowork/decks/library-report.pptx").read_bytes()
TASK = Task(domain="cowork", kind="deck", instruction="retitle", env=Env(workdir="", leaves="files"))
ATTEMPT = Trajectory(
    task_id=TASK.id, agent=Agent(scaffold="native", teacher="x"), system="", prompt="", ended="submitted"
)
ASKED, OTHERS, DESIGN = "slide 2 is as asked", "all other slides are as they were", "theme and layouts are as they were"
Edit = Callable[[Any], object]


def edited(*edits: Edit) -> bytes:
    deck = Presentation(io.BytesIO(GIVEN))
    for edit in edits:
        edit(deck)
    packed = io.BytesIO()
    deck.save(packed)
    return packed.getvalue()


def retitle(deck: Any) -> None:
    deck.slides[1].shapes.title.text = "What we learned"


def retitle_the_wrong_one(deck: Any) -> None:
    deck.slides[4].shapes.title.text = "What we learned"


def move_a_chart(deck: Any) -> None:
    deck.slides[2].shapes[1].left += Inches(0.5)


def drop_a_point(deck: Any) -> None:
    paragraph = deck.slides[4].placeholders[1].text_frame.paragraphs[1]
    paragraph._p.getparent().remove(paragraph._p)


def change_a_cell(deck: Any) -> None:
    deck.slides[3].shapes[1].table.cell(1, 1).text = "421"


def drop_the_notes(deck: Any) -> None:
    deck.slides[1].notes_slide.notes_text_frame.text = ""


def add_a_slide(deck: Any) -> None:
    deck.slides.add_slide(deck.slide_layouts[6])


def widen(deck: Any) -> None:
    deck.slide_width = Inches(13)


async def judge(data: bytes, office: Office, tmp_path: Path) -> dict[str, Criterion]:
    blobs = Blobs(str(tmp_path / "blobs"))
    params = DeckParams(path="deck.pptx", given=blobs.put(GIVEN), gold=blobs.put(edited(retitle)))
    box = DirectoryBox(tmp_path)
    await box.write("deck.pptx", data)
    return {
        criterion.name: criterion
        async for criterion in deck(TASK, ATTEMPT, box, params=params, blobs=blobs, office=office)
    }


@pytest.mark.parametrize(
    ("edits", "failed"),
    [
        ((retitle,), set()),
        ((), {ASKED}),
        ((retitle_the_wrong_one,), {ASKED, OTHERS}),
        ((retitle, move_a_chart), {OTHERS}),
        ((retitle, drop_a_point), {OTHERS}),
        ((retitle, change_a_cell), {OTHERS}),
        ((retitle, drop_the_notes), {ASKED}),
        ((retitle, add_a_slide), {"it has 5 slides"}),
        ((retitle, widen), {DESIGN}),
    ],
    ids=lambda value: " and ".join(each.__name__ for each in value) if isinstance(value, tuple) else "",
)
async def test_each_fault_is_found_by_what_is_about_it(
    edits: tuple[Edit, ...], failed: set[str], office: Office, tmp_path: Path
) -> None:
    criteria = await judge(edited(*edits), office, tmp_path)
    assert {name for name, criterion in criteria.items() if not criterion.passed} == failed, criteria
    assert criteria[ASKED].attachments.keys() == {"slide 2"}


@pytest.mark.parametrize(
    ("edits", "failed"),
    [
        ((retitle,), set()),
        ((), {ASKED}),
        ((retitle, move_a_chart), {OTHERS}),
        ((retitle, change_a_cell, drop_a_point), {OTHERS}),
    ],
    ids=lambda value: " and ".join(each.__name__ for each in value) if isinstance(value, tuple) else "",
)
async def test_a_deck_that_the_suite_saved_is_held_against_what_the_suite_saves(
    edits: tuple[Edit, ...], failed: set[str], office: Office, tmp_path: Path
) -> None:
    saved = await office.convert(edited(*edits), "pptx", "pptx")
    criteria = await judge(saved, office, tmp_path)
    assert {name for name, criterion in criteria.items() if not criterion.passed} == failed, criteria


async def test_what_is_no_deck_is_refused_with_the_reason(office: Office, tmp_path: Path) -> None:
    [opens] = (await judge(b"PK\x03\x04cut off", office, tmp_path)).values()
    assert opens.gate
    assert not opens.passed
    assert "damaged" in opens.evidence
