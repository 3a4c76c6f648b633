"""A deck made from a document is judged by its specification: another layout passes, faults have their criteria."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches, Pt

from crucible.documents import Office
from crucible.domains.office.decks import deck as deck_module
from crucible.domains.office.decks.params import DeckLooksParams
from crucible.domains.office.decks.spec import DeckMadeParams
from crucible.model import Agent, Criterion, Task, Trajectory
from crucible.sandbox import Env
from crucible.store.blobs import Blobs
from pipelines.cowork.slides.building import build_deck
from pipelines.cowork.slides.outline import read_outline
from pipelines.cowork.slides.specifying import specify_deck
from tests.agents.directory import DirectoryBox
from verifiers.office.deck_looks import deck_looks
from verifiers.office.deck_made import deck_made
from verifiers.office.deck_mutants import read_mutants

pytestmark = pytest.mark.slow

TASK = Task(domain="cowork", kind="deck-brief", instruction="make a deck", env=Env(workdir="", leaves="files"))
ATTEMPT = Trajectory(
    task_id=TASK.id, agent=Agent(scaffold="native", teacher="x"), system="", prompt="", ended="submitted"
)
TEXT = Path("sample_data/cowork/texts/library-year.md").read_text(encoding="utf-8")
OUTLINE = read_outline(TEXT)
assert OUTLINE is not None
SPEC = specify_deck(TEXT, OUTLINE, Random(0))
assert SPEC is not None
GOOD = build_deck(SPEC, OUTLINE, ("In figures", "Details"))
SPOILERS = {
    "deck.made": ("text that nobody sees", "chart value changed"),
    "deck.looks": ("text out of its box", "text off the slide"),
}


async def judge(verifier: str, data: bytes, office: Office, tmp_path: Path) -> dict[str, Criterion]:
    blobs, box = Blobs(str(tmp_path / "blobs")), DirectoryBox(tmp_path)
    await box.write("deck.pptx", data)
    given: dict[str, Any] = {"blobs": blobs, "office": office}
    if verifier == "deck.made":
        found = deck_made(TASK, ATTEMPT, box, params=DeckMadeParams(path="deck.pptx", spec=SPEC), **given)
    else:
        found = deck_looks(TASK, ATTEMPT, box, params=DeckLooksParams(path="deck.pptx"), **given)
    return {criterion.name: criterion async for criterion in found}


def name_failed(criteria: dict[str, Criterion]) -> list[str]:
    return [f"{name}: {criterion.evidence}" for name, criterion in criteria.items() if not criterion.passed]


def spoil(code: str, tmp_path: Path) -> bytes:
    """The good deck after the code of a mutant, as its box runs it."""
    spoilt, program = tmp_path / "spoilt.pptx", Path(deck_module.__file__).with_name("spoil_deck.py")
    spoilt.write_bytes(GOOD)
    told = json.dumps({"path": str(spoilt), "code": code})
    subprocess.run([sys.executable, str(program)], input=told, text=True, check=True)
    return spoilt.read_bytes()


def lay_out_otherwise() -> bytes:
    """The same content in text boxes of its own, on a wide slide, the topics in another order."""
    given, deck = Presentation(io.BytesIO(GOOD)), Presentation()
    deck.slide_width, deck.slide_height = Inches(13.333), Inches(7.5)
    slides = list(given.slides)
    plain, data = slides[: 1 + len(SPEC.topics)], slides[1 + len(SPEC.topics) :]
    for slide in (plain[0], *reversed(plain[1:])):
        made = deck.slides.add_slide(deck.slide_layouts[6])
        for number, shape in enumerate(slide.shapes):
            box = made.shapes.add_textbox(Inches(0.8), Inches(0.6 + 1.4 * number), Inches(11), Inches(1.2))
            box.text_frame.word_wrap = True
            box.text_frame.text = shape.text_frame.text
            for paragraph in box.text_frame.paragraphs:
                paragraph.font.size = Pt(18 if number else 30)
    for slide in data:
        made = deck.slides.add_slide(deck.slide_layouts[6])
        for shape in slide.shapes:
            if shape.has_chart:
                chart = shape.chart
                values = CategoryChartData()
                values.categories = list(chart.plots[0].categories)
                for series in chart.plots[0].series:
                    values.add_series(series.name, list(series.values))
                made.shapes.add_chart(XL_CHART_TYPE.LINE, Inches(1), Inches(1), Inches(11), Inches(5), values)
            elif shape.has_table:
                rows = [[cell.text for cell in row.cells] for row in shape.table.rows]
                table = made.shapes.add_table(len(rows), len(rows[0]), Inches(1), Inches(1), Inches(8), Inches(3)).table
                for row, cells in enumerate(rows):
                    for column, text in enumerate(cells):
                        table.cell(row, column).text = text
    packed = io.BytesIO()
    deck.save(packed)
    return packed.getvalue()


@pytest.mark.parametrize("verifier", ["deck.made", "deck.looks"])
async def test_a_right_deck_passes_in_its_own_layout_and_in_another(
    verifier: str, office: Office, tmp_path: Path
) -> None:
    assert not name_failed(await judge(verifier, GOOD, office, tmp_path))
    assert not name_failed(await judge(verifier, lay_out_otherwise(), office, tmp_path))


@pytest.mark.parametrize(
    ("verifier", "name"), [(verifier, name) for verifier, names in SPOILERS.items() for name in names]
)
async def test_a_spoilt_deck_is_rejected_by_the_criterion_about_it(
    verifier: str, name: str, office: Office, tmp_path: Path
) -> None:
    [mutant] = [each for each in read_mutants(verifier) if each.name == name]
    criteria = await judge(verifier, spoil(mutant.code, tmp_path), office, tmp_path)
    failed = name_failed(criteria)
    assert any(each.startswith(mutant.criteria) for each in failed), failed
    if verifier == "deck.looks":
        assert any(criterion.attachments for criterion in criteria.values() if not criterion.passed)
