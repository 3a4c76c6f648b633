"""The pipeline of office work: which stages a workbook or deck goes through, in order."""

from __future__ import annotations

from crucible.mining import Pipeline, Stage
from crucible.parts import pipeline
from pipelines.cowork.model import Seed, Walk
from pipelines.cowork.settings import CoworkSettings
from pipelines.cowork.walking import walk_file
from pipelines.cowork.writing import write_tasks


@pipeline("cowork")
def cowork() -> Pipeline:
    """Workbooks and decks to tasks, judged by what formulas come to and what slides show."""
    return Pipeline(
        name="cowork",
        source="office-files",
        samples=("sample_data/cowork/workbooks", "sample_data/cowork/decks"),
        demo_items=1,
        demo_sections={"cowork": CoworkSettings(walks=1)},
        stages=(Stage("walk", Seed, walk_file), Stage("write", Walk, write_tasks)),
    )
