"""Operations on the tables and charts of a deck."""

from __future__ import annotations

from typing import Any

from pptx.chart.data import CategoryChartData

from pipelines.cowork.model import Move
from pipelines.cowork.slides.ground import DeckGround, list_shapes, make_move, set_text


def set_cell(ground: DeckGround) -> Move | None:
    """Put another text into a cell of a table."""
    chosen = ground.choose([(n, shape.table) for n, shape in list_shapes(ground) if shape.has_table])
    if not chosen:
        return None
    number, table = chosen
    row, column = ground.draw.randrange(1, len(table.rows)), ground.draw.randrange(len(table.columns))
    cell, new = table.cell(row, column), str(ground.draw.randint(11, 989))
    old = cell.text
    set_text(cell.text_frame.paragraphs[0], new)
    return make_move("set-cell", number=number, row=row + 1, column=column + 1, old=old, new=new)


def set_value(ground: DeckGround) -> Move | None:
    """Change one value that a chart draws."""
    charts = [
        (n, shape.chart) for n, shape in list_shapes(ground) if shape.has_chart and len(list(shape.chart.plots)) == 1
    ]
    chosen = ground.choose(charts)
    if not chosen:
        return None
    number, chart = chosen
    categories = [str(category) for category in chart.plots[0].categories]
    series = {one.name: list(one.values) for one in chart.plots[0].series}
    name, at = ground.draw.choice(sorted(series)), ground.draw.randrange(len(categories))
    old, new = series[name][at], float(ground.draw.randint(3, 97))
    series[name][at] = new
    make_data: Any = CategoryChartData
    data = make_data()
    data.categories = categories
    for each, values in series.items():
        data.add_series(each, values)
    chart.replace_data(data)
    return make_move("set-value", number=number, series=name, category=categories[at], old=f"{old:g}", new=f"{new:g}")
