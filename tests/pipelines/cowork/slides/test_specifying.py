"""Documents become specifications by rules: topics with their figures, a table's data, and the document's language."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from crucible.domains.office.decks.figures import holds, list_figures, read_figure
from pipelines.cowork.slides.outline import read_outline
from pipelines.cowork.slides.specifying import read_chart, specify_deck

TEXTS = sorted(Path("sample_data/cowork/texts").iterdir())
LANGUAGES = {"energiebericht": "de", "marche-des-halles": "fr", "cooperativa-cafe": "es"}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_sample_has_topics_whose_figures_are_its_own(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    outline = read_outline(text)
    assert outline
    spec = specify_deck(text, outline, Random(2))
    assert spec
    assert spec.language == LANGUAGES.get(path.stem, "en")
    known = [read_figure(figure) for figure in spec.known_figures]
    assert all(holds(read_figure(figure), known) for topic in spec.topics for figure in topic.figures)
    assert spec.slides == 1 + len(spec.topics) + bool(spec.chart) + bool(spec.table)


def test_a_text_without_sections_has_no_outline() -> None:
    assert read_outline("Just a line that goes on and on, and says 12 things.") is None


@pytest.mark.parametrize("other", ["48210", "48 210", "48.210", "48'210"])
def test_a_figure_is_recognised_however_it_is_written(other: str) -> None:
    assert read_figure("48,210") & read_figure(other)


def test_years_and_counts_beside_each_other_are_two_figures() -> None:
    assert [figure for figure, _ in list_figures("in 2023 450 people, 12.5 km, 09:15")] == [
        "2023", "450", "12.5", "09", "15",
    ]  # fmt: skip


def test_a_table_with_words_among_its_figures_is_no_chart() -> None:
    assert read_chart([["Hut", "Food"], ["First", "yes"], ["Last", "7"]]) is None
