"""Templates are whole: every key in their formulas and ties stands somewhere, and every case of the samples fits."""

from __future__ import annotations

import io

import openpyxl
import pytest

from pipelines.cowork.modelling.building import build_workbooks, place_tie
from pipelines.cowork.modelling.layout import lay_out, list_answers
from pipelines.cowork.modelling.model import ModelCase, list_templates, read_template


@pytest.mark.parametrize("name", list_templates())
def test_a_given_workbook_lacks_exactly_what_is_asked_for(name: str) -> None:
    template = read_template(name)
    inputs = {line.key: 1.5 for line in template.input}
    case = ModelCase(name="x", template=name, title="X", currency="EUR", inputs=inputs)
    layout = lay_out(template)
    given, gold = (openpyxl.load_workbook(io.BytesIO(data)) for data in build_workbooks(template, case, layout))
    areas = [area for sheet in template.sheet for area, _ in list_answers(sheet, layout)]
    for area in areas:
        sheet, _, cells = area.partition("!")
        for book, filled in ((given, False), (gold, True)):
            block = book[sheet][cells]
            rows = block if isinstance(block, tuple) else ((block,),)
            assert all((cell.value is not None) is filled for row in rows for cell in row), f"{area}: {filled}"
    assert all(place_tie(tie, layout).left for tie in template.tie)


def test_a_yearly_line_refers_to_its_own_column_and_the_one_before() -> None:
    layout = lay_out(read_template("buyout"))
    assert layout.write("{closing<}", 3) == "Forecast!$C$10"
    assert layout.write("{closing}+{debt0}", 3) == "Forecast!$D$10+Entry!$B$4"
    assert layout.write("{closing:all}") == "Forecast!$B$10:$F$10"
    assert layout.write("{closing:last}") == "Forecast!$F$10"
    assert layout.write("{grid:own}") == "Returns!$D$11"
