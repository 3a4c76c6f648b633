"""Builds a deck that has all that a specification asks for, in the words of the document, with python-pptx."""

from __future__ import annotations

import io
from typing import Any

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.util import Inches, Pt

from crucible.domains.office.archive import forget_times
from crucible.domains.office.decks.deck import ChartData
from crucible.domains.office.decks.spec import DeckSpec
from pipelines.cowork.slides.outline import Outline, Section
from pipelines.cowork.slides.specifying import choose_points

TITLE_SLIDE, TITLE_AND_CONTENT, TITLE_ONLY = 0, 1, 5
"""Layouts of python-pptx's own template."""
TITLE_POINTS, TEXT_POINTS, CELL_POINTS = 32, 20, 16
BODY = (Inches(0.7), Inches(1.7), Inches(8.6), Inches(4.8))
"""Where charts and tables stand."""


def build_deck(spec: DeckSpec, outline: Outline, data_titles: tuple[str, str]) -> bytes:
    """The deck as a file; `data_titles` are those of the slides with the chart and with the table."""
    deck = Presentation()
    sections = {section.title: section for section in outline.sections}
    _add_title_slide(deck, spec)
    for topic in spec.topics:
        _add_points(deck, sections[topic.title], spec)
    if spec.chart:
        _add_chart(_add_slide(deck, data_titles[0], spec), spec.chart)
    if spec.table:
        _add_table(_add_slide(deck, data_titles[1], spec), spec.table)
    packed = io.BytesIO()
    deck.save(packed)
    return forget_times(packed.getvalue())


def _add_title_slide(deck: Any, spec: DeckSpec) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[TITLE_SLIDE])
    _write(slide.shapes.title.text_frame, [spec.title], TITLE_POINTS)
    subtitle = slide.placeholders[1]
    subtitle._element.getparent().remove(subtitle._element)


def _add_slide(deck: Any, title: str, spec: DeckSpec, layout: int = TITLE_ONLY) -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    _write(slide.shapes.title.text_frame, [title], TITLE_POINTS)
    if spec.notes:
        slide.notes_slide.notes_text_frame.text = f"{title}. {spec.title}. {title}."
    return slide


def _add_points(deck: Any, section: Section, spec: DeckSpec) -> None:
    slide = _add_slide(deck, section.title, spec, TITLE_AND_CONTENT)
    points = choose_points(section, spec.most_words)
    _write(slide.placeholders[1].text_frame, points, TEXT_POINTS)
    if spec.notes:
        slide.notes_slide.notes_text_frame.text = " ".join(section.sentences)


def _write(frame: Any, lines: list[str], size: int) -> None:
    """One paragraph for each line, in letters of this size."""
    frame.text = "\n".join(lines)
    frame.word_wrap, frame.auto_size = True, MSO_AUTO_SIZE.NONE
    for paragraph in frame.paragraphs:
        paragraph.font.size = Pt(size)


def _add_chart(slide: Any, wanted: ChartData) -> None:
    make_data: Any = CategoryChartData
    data = make_data()
    data.categories = wanted.categories
    for name, values in wanted.series.items():
        data.add_series(name, values)
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *BODY, data).chart
    chart.has_legend = len(wanted.series) > 1
    chart.font.size = Pt(CELL_POINTS)


def _add_table(slide: Any, rows: tuple[tuple[str, ...], ...]) -> None:
    left, top, width, _ = BODY
    frame = slide.shapes.add_table(len(rows), len(rows[0]), left, top, width, Inches(0.5) * len(rows))
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            cell = frame.table.cell(row, column)
            cell.text = text
            cell.text_frame.paragraphs[0].font.size = Pt(CELL_POINTS)
