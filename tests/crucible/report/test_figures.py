"""The funnel's picture."""

from __future__ import annotations

from crucible.report.figures import draw_funnel
from crucible.store.funnel import StageCount


def test_what_a_stage_could_not_make_stands_beside_it_and_not_in_the_flow() -> None:
    stages = (
        StageCount(pipeline="swe", stage="swe.transform", came=4, done=4),
        StageCount(pipeline="swe", stage="validate", came=8, done=8),
        StageCount(pipeline="swe", stage="swe.transform.outputs", came=3, dropped=3, reasons={"too_guessable": 3}),
    )
    first, second = draw_funnel(stages, ())["swe"]
    assert (first.name, second.name) == ("swe.transform", "validate")
    assert [(chip.label, chip.filters["stage"]) for chip in first.chips] == [("too_guessable", "swe.transform.outputs")]
