"""Files that queries are about, generated from shapes and outlines: the same draw gives the same file."""

from __future__ import annotations

import datetime
import io
from collections.abc import Sequence
from random import Random
from typing import Any

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from crucible.domains.office.archive import forget_times
from pipelines.cowork.queries.library import ChartOutline, ColumnShape, TableShape, Topic


def make_workbook(shape: TableShape, rows: int, draw: Random) -> bytes:
    """A workbook with one table of so many rows, its header in bold letters."""
    import pandas  # as slow to load as all that is loaded before

    table = pandas.DataFrame({column.header: _draw_column(column, rows, draw) for column in shape.columns})
    packed = io.BytesIO()
    with pandas.ExcelWriter(packed, engine="openpyxl", date_format="yyyy-mm-dd") as writer:
        table.to_excel(writer, sheet_name=shape.sheet, index=False)
        writer.book[shape.sheet].freeze_panes = "A2"
    return forget_times(packed.getvalue())


def _draw_column(column: ColumnShape, rows: int, draw: Random) -> Sequence[Any]:
    """The values of a column."""
    if column.kind == "formula":
        return [column.formula.replace("{row}", str(row)) for row in range(2, rows + 2)]
    if column.kind == "date":
        return [column.first + datetime.timedelta(days=draw.randrange(column.days)) for _ in range(rows)]
    if column.kind == "number":
        return [_draw_number(column, draw) for _ in range(rows)]
    chosen = [draw.choice(column.values) for _ in range(rows)]
    return chosen if column.kind == "text" else [f"{value} {number}" for number, value in enumerate(chosen, start=1)]


def _draw_number(column: ColumnShape, draw: Random) -> float:
    value = round(draw.uniform(column.low, column.high), column.digits)
    return value if column.digits else int(value)


def make_deck(topic: Topic, draw: Random) -> bytes:
    """A deck of the outline: title, lists in an order of the draw's, and the chart last."""
    deck = Presentation()
    cover = deck.slides.add_slide(deck.slide_layouts[0])
    cover.shapes.title.text = topic.title
    cover.placeholders[1].text = draw.choice(("For discussion", "Internal", "Second version"))
    for outline in draw.sample(topic.slides, len(topic.slides)):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = outline.title
        slide.placeholders[1].text = "\n".join(outline.points)
    if topic.chart:
        _add_chart(deck, topic.chart)
    packed = io.BytesIO()
    deck.save(packed)
    return forget_times(packed.getvalue())


def _add_chart(deck: Any, outline: ChartOutline) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = outline.title
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = outline.categories
    data.add_series(outline.series, outline.values)
    place = (Inches(1), Inches(1.8), Inches(8), Inches(4.8))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
