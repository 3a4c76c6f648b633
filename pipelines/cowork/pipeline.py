"""The pipeline of office work: which stages a seed workbook goes through, in order."""

from __future__ import annotations

from crucible.mining import Pipeline, Stage
from crucible.parts import pipeline
from pipelines.cowork.model import SeedWorkbook, Walk
from pipelines.cowork.walking import walk_workbook
from pipelines.cowork.writing import write_tasks


@pipeline("cowork")
def cowork() -> Pipeline:
    """Seed workbooks to tasks that are judged by what the formulas come to."""
    return Pipeline(
        name="cowork",
        source="workbooks",
        samples=("sample_data/cowork/workbooks",),
        demo_items=2,
        stages=(Stage("walk", SeedWorkbook, walk_workbook), Stage("write", Walk, write_tasks)),
    )
